import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../database/database.js';
import { describeCause } from '../problem/describe-cause.js';
import { FORGET } from '../writes/idempotency/idempotency-sql.js';

const EVERY_MS = 3_600_000;

/** Between two steps of a long deletion, so that requests get connections and autovacuum keeps up. */
const PAUSE_MS = 50;

/** The months ahead for which history has a place, so that a month can be moved out whole. */
export const PREPARE_MONTHS = {
  name: 'history_prepare_months',
  text: 'SELECT prepare_months_ahead()',
};

/** What has to be done from time to time: at the start and then every hour, in each replica. */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Housekeeping');
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private forgetting: Promise<void> | undefined;
  private readonly others: (readonly [what: string, work: () => Promise<void>])[] = [];

  constructor(private readonly database: Database) {}

  /** The start waits for the months, which the first write may need, and not for expired keys, of which there may be many. */
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

  /** Something else that has to be done every hour; what it does must be short. */
  add(what: string, work: () => Promise<void>): void {
    this.others.push([what, work]);
  }

  async tidy(): Promise<void> {
    await this.prepareMonths();
    await this.forgetExpiredKeys();
    for (const [what, work] of this.others) await this.attempt(what, work);
  }

  private prepareMonths(): Promise<void> {
    return this.attempt('Preparing the months ahead', () => this.database.query(PREPARE_MONTHS));
  }

  private forgetExpiredKeys(): Promise<void> {
    this.forgetting ??= this.attempt('Deleting expired idempotency keys', async () => {
      const { signal } = this.stopping;
      while (!signal.aborted && (await this.database.count(FORGET)) > 0) {
        await sleep(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }).finally(() => (this.forgetting = undefined));
    return this.forgetting;
  }

  private async attempt(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.warn(`${what} failed and is put off to the next hour: ${describeCause(error)}`);
    }
  }
}
