import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Database } from '../database/database.js';
import { namedStatement } from '../database/statement.js';
import type { Author } from '../database/transaction.js';
import { BackgroundLoop } from '../operations/background-loop.js';
import { Metrics } from '../operations/metrics.js';
import { isDatabaseUnavailable } from '../problem/database-problem.js';
import { describeCause, toProblem } from '../problem/failures.js';
import { Problem } from '../problem/problem.js';
import { retry } from '../problem/retry.js';
import { ApplyChunk, RowsMissing } from './apply-chunk.js';
import type { FinishedRow } from './import-row.js';

/** Small enough for short locks and visible progress, large enough for few commits and events. */
export const ROWS_PER_CHUNK = 100;

/** While the database is unavailable, the worker retries at this interval. */
const PAUSE_MS = 1000;
const MAX_PAUSES = 60;

const LOOK_FOR_STALLED_EVERY_MS = 30_000;

/**
 * Imports that have made no progress for a minute, with the user who applied them, from history. If that month was archived, no user is
 * named.
 */
export const STALLED = namedStatement('imports_stalled')`
  SELECT i.id, coalesce(asked."requestID", 'none') AS "requestID", coalesce(asked.caller, '{"subject": "imports"}') AS caller
  FROM imports i
  LEFT JOIN LATERAL (
    SELECT h.request_id AS "requestID",
      CASE WHEN h.subject IS NULL THEN json_build_object('subject', h.changed_by)
        ELSE json_build_object('subject', h.subject, 'name', h.changed_by) END AS caller
    FROM history h
    WHERE h.root_id = i.id AND h.record_kind = 'import' AND h.record ->> 'state' = 'applying'
    ORDER BY h.position LIMIT 1
  ) asked ON true
  WHERE i.state = 'applying' AND i.updated_at < now() - interval '1 minute'`;

/** Applies imports in the background, and resumes those that another replica left unfinished. */
@Injectable()
export class ImportWorker extends BackgroundLoop {
  private readonly stopping = new AbortController();
  private readonly applying = new Map<string, Promise<void>>();
  private readonly rows: Counter<'outcome'>;

  constructor(
    private readonly database: Database,
    private readonly chunks: ApplyChunk,
    metrics: Metrics,
  ) {
    super('Imports', 'Looking for unfinished imports', LOOK_FOR_STALLED_EVERY_MS);
    this.rows = metrics.counter('waybill_import_rows_total', 'Rows of applied imports, by outcome', ['outcome']);
  }

  /** Stops after the current chunk. Another replica resumes the import. */
  override async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await super.beforeApplicationShutdown();
    await this.settled();
  }

  /** Resolves when this process is applying no import. */
  async settled(): Promise<void> {
    await Promise.all(this.applying.values());
  }

  /** Starts to apply an import in the state `applying`, unless this process already does. */
  start(importID: string, author: Author): void {
    if (this.applying.has(importID) || this.stopping.signal.aborted) return;
    const work = this.applyAll(importID, author)
      .catch((error: unknown) => this.logger.error(`Import ${importID} stopped unfinished: ${describeCause(error)}`))
      .finally(() => this.applying.delete(importID));
    this.applying.set(importID, work);
  }

  protected override async round(): Promise<number> {
    await this.resumeStalled();
    return LOOK_FOR_STALLED_EVERY_MS;
  }

  async resumeStalled(): Promise<void> {
    for (const { id, ...author } of await this.database.query<Author & { id: string }>(STALLED)) {
      this.logger.warn(`Resuming unfinished import ${id}`);
      this.start(id, author);
    }
  }

  private async applyAll(importID: string, author: Author): Promise<void> {
    for (let line: number | undefined = 0; line !== undefined && !this.stopping.signal.aborted;) {
      const finished = await this.applyNext(importID, author, line);
      for (const { outcome } of finished) this.rows.inc({ outcome });
      line = finished.at(-1)?.line;
    }
  }

  /** Applies a chunk. If that fails, applies its first row alone, and refuses the row if it still fails. */
  private async applyNext(importID: string, author: Author, after: number): Promise<readonly FinishedRow[]> {
    const apply = (size: number, problem?: Problem) => {
      return this.patiently(() => this.chunks.apply(importID, author, { after, size, problem }));
    };
    try {
      return await apply(ROWS_PER_CHUNK).catch((error: unknown) => {
        if (isOfNoRow(error)) throw error;
        return apply(1);
      });
    } catch (error) {
      // The import has expired in the meantime.
      if (error instanceof Problem && (error.code === 'NOT_FOUND' || error.code === 'NOT_KEPT')) return [];
      if (isOfNoRow(error)) throw error;
      const problem = toProblem(error);
      this.logger.error(
        `Import ${importID} has a failing row: ${problem.code}: ${describeCause(problem.cause ?? error)}`,
      );
      return apply(1, problem);
    }
  }

  /** Retries while the database is unavailable. After an unanswered COMMIT, the next attempt finds out whether it took effect. */
  private patiently<T>(attempt: () => Promise<T>): Promise<T> {
    return retry(attempt, {
      while: (error, failures) => failures <= MAX_PAUSES && mayPass(error),
      pause: () => PAUSE_MS,
      signal: this.stopping.signal,
    });
  }
}

/** Whether the failure is not caused by a row, so that refusing the row would not help. */
function isOfNoRow(error: unknown): boolean {
  return mayPass(error) || error instanceof RowsMissing;
}

function mayPass(error: unknown): boolean {
  return isDatabaseUnavailable(error) || (error instanceof Problem && error.status === 503);
}
