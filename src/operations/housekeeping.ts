import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../database/database.js';
import { describeCause } from '../problem/describe-cause.js';
import { FORGET } from '../idempotency/idempotency-sql.js';

const EVERY_MS = 3_600_000;

/** The months ahead for which history has a place, so that a month can be moved out whole. */
export const PREPARE_MONTHS = {
  name: 'history_prepare_months',
  text: 'SELECT prepare_months_ahead()',
};

/** What has to be done from time to time, at the start and then every hour; several replicas may do it together. */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Housekeeping');
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.tidy();
    this.timer = setInterval(() => void this.tidy(), EVERY_MS).unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async tidy(): Promise<void> {
    try {
      await this.database.query(PREPARE_MONTHS);
      while ((await this.database.count(FORGET)) > 0);
    } catch (error) {
      this.logger.warn(`Housekeeping is put off to the next hour: ${describeCause(error)}`);
    }
  }
}
