import { Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import type { Transaction } from '../database/transaction.js';
import { fileHeaders } from '../files/export-file.js';
import { FILE_TYPES } from '../http/media-types.js';
import { requireAccepted } from '../http/accept.guard.js';
import { numberedPage } from '../records/paging.js';
import { type Reply, StreamedReply } from '../http/reply.js';
import { contextOf } from '../http/request-context.js';
import { Slots, type LimitedSlots } from '../http/slots.js';
import { onceRevoked, untilClosed } from '../http/until-closed.js';
import { describeCause } from '../problem/failures.js';
import { invalidParameter, Problem } from '../problem/problem.js';
import type { PendingWrite } from '../records/pending-write.js';
import { Records, type Locked } from '../records/records.js';
import { Page, type RenderedRecord } from '../records/rendered-record.js';
import { notKept } from '../records/resource.js';
import { ImportWorker } from './import-worker.js';
import type { ResultQuery } from './dto/import-queries.js';
import { conflictsIn, shownRow, type ImportRowsQuery } from './dto/import-row.dto.js';
import { OUTCOMES, recount } from './import-row.js';
import { ImportRows } from './import-rows.js';
import { IMPORTS, isExpired, keptUntil, type Import } from '../model/import.entity.js';
import { csvResult } from './results/csv-result.js';
import { jsonResult } from './results/json-result.js';
import { AMBIGUOUS_FILE } from './import-problems.js';

const RESULTS = { csv: csvResult, jsonl: jsonResult };

@Injectable()
export class ImportsService {
  private readonly logger = new Logger('Imports');
  private readonly slots: LimitedSlots;

  constructor(
    private readonly records: Records,
    private readonly rows: ImportRows,
    private readonly worker: ImportWorker,
    slots: Slots,
  ) {
    this.slots = slots.declare('results', { what: 'result files', limit: 8, share: 2, retryAfterSeconds: 5 });
  }

  /** 410 when it has expired, whether or not it is deleted yet. */
  async read(id: string): Promise<RenderedRecord> {
    const found = await this.records.read(IMPORTS, id);
    if (isExpired(JSON.parse(found.json) as Import)) notKept(IMPORTS);
    return found;
  }

  async page(name: string, query: ImportRowsQuery): Promise<Page> {
    const id = await this.records.idOf(IMPORTS, name);
    const { limit, after } = numberedPage(query);
    const request = { after: Number(after ?? 0), outcomes: query.outcome ?? OUTCOMES, limit: limit + 1 };
    const rows = await this.rows.after(id, request);
    // Rows are deleted after their import: if it is still there, none of them was missing.
    await this.read(id);
    const shown = rows.map((row) => ({ position: String(row.line), json: JSON.stringify(shownRow(row)) }));
    return Page.of(shown, limit);
  }

  /** Counts a refused row as changed. Its conflict was settled by a write of its shipment. */
  async settle(transaction: Transaction, locked: Locked<Import>, line?: number): Promise<PendingWrite> {
    const { id } = locked.row;
    if (isExpired(locked.row)) notKept(IMPORTS);
    if (line === undefined) throw invalidParameter('line', 'is required');
    const request = { after: line - 1, outcomes: ['refused'], limit: 1 } as const;
    const [row] = await this.rows.after(id, request, transaction);
    if (row?.line !== line || conflictsIn(row.problem).length === 0) {
      throw invalidParameter('line', 'is not the line of a refused row with a conflict');
    }
    const settled = { ...row, outcome: 'changed' } as const;
    return locked.update(recount(locked.row, [row], [settled])).preceded([this.rows.finish(id, [settled])]);
  }

  /** The refused rows as a file in the format of the import. */
  async result(request: Request, id: string, { excel }: ResultQuery): Promise<Reply> {
    this.slots.takeUntilClosed(request);
    const { json } = await this.read(id);
    const { format } = JSON.parse(json) as Import;
    requireAccepted(request, [FILE_TYPES[format]]);
    if (excel !== undefined && format !== 'csv') {
      throw invalidParameter('excel', `is only for CSV: the format of this import is ${format}`);
    }
    const signal = untilClosed(request);
    onceRevoked(request, () => request.res?.destroy());
    const ended = (failure: unknown) => {
      if (failure === undefined || signal.aborted) return;
      this.logger.error(`${contextOf(request).requestID} a result file was truncated: ${describeCause(failure)}`);
    };
    return new StreamedReply(fileHeaders(`import-${id}`, format), {
      chunks: this.complete(id, RESULTS[format](this.rows, id, excel === 'true')),
      signal,
      ended,
    });
  }

  /** The lines, and at their end a failure if the import was deleted in the meantime, which may have cost some of them. */
  private async *complete(id: string, lines: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
    yield* lines;
    await this.read(id);
  }

  /** Starts to write the rows after the commit. Does nothing for an applied import. */
  apply(request: Request, locked: Locked<Import>): PendingWrite {
    const { requestID, caller } = contextOf(request);
    const { id, state } = locked.row;
    if (isExpired(locked.row)) notKept(IMPORTS);
    if (state === 'ambiguous') {
      throw new Problem(
        AMBIGUOUS_FILE,
        'Some cells of the file can be read in several ways. Upload it again with dates or decimal, which say how.',
      );
    }
    const started = state === 'ready' ? ({ state: 'applying', expiresAt: keptUntil() } as const) : {};
    return locked.update(started).afterCommit(() => {
      this.worker.start(id, { requestID, caller });
    });
  }
}
