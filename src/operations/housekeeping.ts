import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Statement } from '../database/statement.js';
import { describeCause } from '../problem/failures.js';
import { FORGET } from '../writes/idempotency/idempotency-sql.js';

const EVERY_MS = 3_600_000;

/** Pause between the batches of a long deletion, so that requests get connections and autovacuum keeps up. */
const PAUSE_MS = 50;

/** Creates the history partitions of the coming months, so that whole months can be archived. */
export const PREPARE_MONTHS = {
  name: 'history_prepare_months',
  text: 'SELECT prepare_months_ahead()',
};

/** Periodic tasks: each replica runs them at startup and then every hour. */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Housekeeping');
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private forgetting: Promise<void> | undefined;
  private readonly others: (readonly [what: string, work: () => Promise<void>])[] = [];

  constructor(private readonly database: Database) {}

  /** Startup waits for the partitions, which the first write may need, but not for the deletion of expired keys. */
  async onApplicationBootstrap(): Promise<void> {
    await this.prepareMonths();
    void this.forgetExpiredKeys();
    this.timer = setInterval(() => void this.tidy(), EVERY_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.forgetting;
  }

  /** Adds an hourly task. */
  add(what: string, work: () => Promise<void>): void {
    this.others.push([what, work]);
  }

  /** Repeats a statement that deletes a batch until it finds nothing, or the service stops. */
  async deleteAll(statement: Statement): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted && (await this.database.count(statement)) > 0) {
      await sleep(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async tidy(): Promise<void> {
    await this.prepareMonths();
    await this.forgetExpiredKeys();
    for (const [what, work] of this.others) await this.attempt(what, work);
  }

  private prepareMonths(): Promise<void> {
    return this.attempt('Creating history partitions', () => this.database.query(PREPARE_MONTHS));
  }

  private forgetExpiredKeys(): Promise<void> {
    const work = () => this.deleteAll(FORGET);
    this.forgetting ??= this.attempt('Deleting expired idempotency keys', work).finally(
      () => (this.forgetting = undefined),
    );
    return this.forgetting;
  }

  private async attempt(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.warn(`${what} failed; retrying in an hour: ${describeCause(error)}`);
    }
  }
}
