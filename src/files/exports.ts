import { Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import type { Pool } from 'pg';
import Cursor from 'pg-cursor';
import { Database } from '../database/database.js';
import type { PlainRow } from '../database/statement.js';
import { type Reply, StreamedReply } from '../http/reply.js';
import { onceRevoked } from '../http/until-closed.js';
import { contextOf } from '../http/request-context.js';
import { Slots, type LimitedSlots } from '../http/slots.js';
import { Lifecycle } from '../operations/lifecycle.js';
import { Metrics } from '../operations/metrics.js';
import { databaseUnavailable } from '../problem/database-problem.js';
import { describeCause, toProblem } from '../problem/failures.js';
import { Problem } from '../problem/problem.js';
import type { ListRequest } from '../records/list-sql.js';
import { Records, type ListedRecord, type WholeList } from '../records/records.js';
import { collectionName } from '../records/resource.js';
import { columnsOf, type FileKind } from './columns.js';
import { exportFile, type ExportFile } from './export-file.js';
import type { FileRequest } from './file-request.js';

/** Time limit for an export, because its snapshot blocks vacuum. */
const MAX_EXPORT_MS = 15 * 60_000;

/** Small enough to take little memory even with texts of maximum length. */
const ROWS_AT_ONCE = 200;

const BEGIN = `
  BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL statement_timeout = ${MAX_EXPORT_MS};
  SET LOCAL idle_in_transaction_session_timeout = ${MAX_EXPORT_MS};
  SET LOCAL client_connection_check_interval = 1000`;

/** Makes pg return plain rows. */
const PLAIN = { rowMode: 'array' as const, types: { getTypeParser: () => (text: string) => text } };

type Batches = AsyncGenerator<readonly ListedRecord[], void, undefined>;

/** Exports whole lists as files, each from one snapshot. */
@Injectable()
export class Exports {
  readonly outcomes = { complete: 0, left: 0, failed: 0, refused: 0 };
  private readonly pool: Pool;
  private readonly slots: LimitedSlots;
  private readonly logger = new Logger('Export');

  constructor(
    database: Database,
    private readonly records: Records,
    private readonly lifecycle: Lifecycle,
    slots: Slots,
    metrics: Metrics,
  ) {
    const help = 'Exports by outcome: complete, left by the client, failed, or refused because of too many exports';
    metrics.counter('waybill_exports_total', help, ['outcome'], (counter) => {
      for (const [outcome, count] of Object.entries(this.outcomes)) counter.labels(outcome).inc(count);
    });
    this.slots = slots.declare('exports', { what: 'exports', limit: 2, share: 1, retryAfterSeconds: 5 });
    // One connection per export.
    this.pool = database.separatePool('waybill-exports', { max: this.slots.limits.limit });
  }

  /** Reads the first records before sending anything, so that an early failure becomes a problem response. */
  async reply(kind: FileKind, list: ListRequest, requested: FileRequest): Promise<Reply> {
    const { resource } = kind;
    contextOf(requested.request).isFile = true;
    const file = exportFile(collectionName(resource), columnsOf(kind), requested);
    if (requested.request.method === 'HEAD') return new StreamedReply(file.headers);
    const free = this.takeSlot(requested.request);
    onceRevoked(requested.request, () => requested.request.res?.destroy());
    const signal = AbortSignal.any([requested.closed, AbortSignal.timeout(MAX_EXPORT_MS)]);
    try {
      if (requested.closed.aborted)
        throw new Problem('MALFORMED_REQUEST', 'The client disconnected before its export began.');
      const batches = this.batches(this.records.whole(resource, list), signal, free);
      const chunks = chunksOf(file, batches, await batches.next());
      return new StreamedReply(file.headers, { chunks, signal, ended: (failure) => this.ended(requested, failure) });
    } catch (failure) {
      free();
      this.count(requested, failure);
      throw failure;
    }
  }

  private takeSlot(request: Request): () => void {
    try {
      this.lifecycle.rejectWhileDraining();
      return this.slots.take(request);
    } catch (refusal) {
      this.outcomes.refused += 1;
      throw refusal;
    }
  }

  /**
   * The records, in batches from one snapshot. Frees the connection and the slot at the end, or when the signal is aborted. The
   * connection is not reused: closing it ends the transaction, even during a statement, because PostgreSQL checks every second whether its
   * client is still connected.
   */
  private async *batches({ list, record }: WholeList, signal: AbortSignal, free: () => void): Batches {
    const client = await this.pool.connect().catch((error: unknown) => {
      throw databaseUnavailable(error);
    });
    let isClosed = false;
    const close = () => {
      if (isClosed) return;
      isClosed = true;
      client.release(true);
      free();
    };
    signal.addEventListener('abort', close, { once: true });
    try {
      if (signal.aborted) close();
      await client.query(BEGIN);
      const cursor = client.query(new Cursor<PlainRow>(list.text, list.values, PLAIN));
      for (;;) {
        const rows = await cursor.read(ROWS_AT_ONCE);
        if (rows.length === 0) return;
        yield rows.map(record);
      }
    } finally {
      close();
    }
  }

  private ended(requested: FileRequest, failure?: unknown): void {
    this.count(requested, failure);
    if (failure === undefined || requested.closed.aborted) return;
    const { code } = toProblem(failure);
    const context = contextOf(requested.request);
    context.problemCode = code;
    this.logger.error(`${context.requestID} ${code} during an export: ${describeCause(failure)}`);
  }

  private count({ closed }: FileRequest, failure: unknown): void {
    if (failure === undefined) this.outcomes.complete += 1;
    else this.outcomes[closed.aborted ? 'left' : 'failed'] += 1;
  }
}

async function* chunksOf(file: ExportFile, batches: Batches, first: IteratorResult<readonly ListedRecord[], void>) {
  try {
    yield file.beginning + file.lines(first.value ?? []);
    for await (const records of batches) yield file.lines(records);
  } finally {
    await batches.return();
  }
}
