import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { namedStatement, type Statement } from '../database/statement.js';
import { describeCause } from '../problem/failures.js';
import { FORGET } from '../writes/idempotency/idempotency-sql.js';
import { BackgroundLoop } from './background-loop.js';

const EVERY_MS = 3_600_000;

/** Pause between the batches of a long deletion, so that requests get connections and autovacuum keeps up. */
const PAUSE_MS = 50;

/** Creates the history partitions of the coming months, so that whole months can be archived. */
export const PREPARE_MONTHS = namedStatement('history_prepare_months')`SELECT prepare_months_ahead()`;

/** Periodic tasks: each replica runs them at startup and then every hour. */
@Injectable()
export class Housekeeping extends BackgroundLoop {
  private readonly tasks: (readonly [what: string, work: () => Promise<void>])[] = [];

  constructor(private readonly database: Database) {
    super('Housekeeping', 'Housekeeping', EVERY_MS);
    this.add('Deleting expired idempotency keys', () => this.deleteAll(FORGET));
  }

  /** Startup waits for the partitions, which the first write may need, but not for the other tasks. */
  override async onApplicationBootstrap(): Promise<void> {
    await this.prepareMonths();
    this.wake();
  }

  add(what: string, work: () => Promise<void>): void {
    this.tasks.push([what, work]);
  }

  /** Repeats a statement that deletes a batch until it finds nothing, or the service stops. */
  async deleteAll(statement: Statement): Promise<void> {
    while (!this.isStopped && (await this.database.count(statement)) > 0) await sleep(PAUSE_MS);
  }

  /** Runs the tasks now, or after the current round. */
  async tidy(): Promise<void> {
    await this.running;
    await this.round();
  }

  protected override async round(): Promise<number> {
    await this.prepareMonths();
    for (const [what, work] of this.tasks) if (!this.isStopped) await this.attempt(what, work);
    return EVERY_MS;
  }

  private prepareMonths(): Promise<void> {
    return this.attempt('Creating history partitions', () => this.database.query(PREPARE_MONTHS));
  }

  private async attempt(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.warn(`${what} failed; retrying in an hour: ${describeCause(error)}`);
    }
  }
}
