import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Author } from '../database/transaction.js';
import { isDatabaseUnavailable } from '../problem/database-problem.js';
import { describeCause } from '../problem/describe-cause.js';
import { Problem } from '../problem/problem.js';
import { toProblem } from '../problem/to-problem.js';
import { ApplyChunk, END, RowsMissing, type Progress } from './apply-chunk.js';
import { ImportMetrics } from './import-metrics.js';
import { STALLED } from './import-rows-sql.js';

/** Small enough for short locks and visible progress, large enough for few commits and events. */
export const ROWS_PER_CHUNK = 100;

/** While the database is unavailable, the worker retries at this interval. */
const PAUSE_MS = 1000;
const MAX_PAUSES = 60;

const LOOK_FOR_STALLED_EVERY_MS = 30_000;

interface StalledImport {
  readonly id: string;
  readonly subject: string;
  readonly name: string | null;
  readonly requestID: string;
}

/** Applies imports in the background, and resumes those that another replica left unfinished. */
@Injectable()
export class ImportWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Imports');
  private readonly stopping = new AbortController();
  private readonly running = new Map<string, Promise<void>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly chunks: ApplyChunk,
    private readonly metrics: ImportMetrics,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.resumeStalled(), LOOK_FOR_STALLED_EVERY_MS).unref();
  }

  /** Stops after the current chunk. Another replica resumes the import. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.settled();
  }

  /** Resolves when this process is applying no import. */
  async settled(): Promise<void> {
    await Promise.all(this.running.values());
  }

  /** Starts to apply an import in the state `applying`, unless this process already does. */
  start(importID: string, author: Author): void {
    if (this.running.has(importID) || this.stopping.signal.aborted) return;
    const work = this.applyAll(importID, author)
      .catch((error: unknown) => this.logger.error(`Import ${importID} stopped unfinished: ${describeCause(error)}`))
      .finally(() => this.running.delete(importID));
    this.running.set(importID, work);
  }

  /** Resumes stalled imports on behalf of the user who applied them. */
  async resumeStalled(): Promise<void> {
    try {
      for (const { id, subject, name, requestID } of await this.database.query<StalledImport>(STALLED)) {
        this.logger.warn(`Resuming unfinished import ${id}`);
        this.start(id, { requestID, caller: { subject, name: name ?? undefined } });
      }
    } catch (error) {
      this.logger.warn(`Looking for unfinished imports failed; retrying later: ${describeCause(error)}`);
    }
  }

  private async applyAll(importID: string, author: Author): Promise<void> {
    for (let line: number | undefined = 0; line !== undefined && !this.stopping.signal.aborted;) {
      const { line: last, finished }: Progress = await this.applyNext(importID, author, line);
      this.metrics.count(finished.map(({ outcome }) => outcome));
      line = last;
    }
  }

  /** Applies a chunk. If that fails, applies its first row alone, and refuses the row if it still fails. */
  private async applyNext(importID: string, author: Author, after: number): Promise<Progress> {
    const apply = (size: number) => this.patiently(() => this.chunks.apply(importID, author, { after, size }));
    try {
      return await apply(ROWS_PER_CHUNK).catch((error: unknown) => {
        if (isOfNoRow(error)) throw error;
        return apply(1);
      });
    } catch (error) {
      if (isNotFound(error)) return END;
      if (isOfNoRow(error)) throw error;
      const problem = toProblem(error);
      this.logger.error(
        `Import ${importID} has a failing row: ${problem.code}: ${describeCause(problem.cause ?? error)}`,
      );
      return this.patiently(() => this.chunks.refuseNext(importID, author, after, problem));
    }
  }

  /** Retries while the database is unavailable. After an unanswered COMMIT, the next attempt finds out whether it took effect. */
  private async patiently<T>(attempt: () => Promise<T>): Promise<T> {
    const { signal } = this.stopping;
    for (let pauses = 0; ; pauses += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (pauses === MAX_PAUSES || signal.aborted || !mayPass(error)) throw error;
        await sleep(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }
}

/** The import has expired in the meantime. */
function isNotFound(error: unknown): boolean {
  return error instanceof Problem && error.code === 'NOT_FOUND';
}

/** Whether the failure is not caused by a row, so that refusing the row would not help. */
function isOfNoRow(error: unknown): boolean {
  return mayPass(error) || error instanceof RowsMissing;
}

function mayPass(error: unknown): boolean {
  return isDatabaseUnavailable(error) || (error instanceof Problem && error.status === 503);
}
