import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Housekeeping } from '../operations/housekeeping.js';
import { FORGET_DELIVERIES } from './deliveries-sql.js';

/** Batches per hour, so that other tasks get their turn. */
const MAX_BATCHES = 100;

/** Deletes old deliveries. */
@Injectable()
export class DeliveryExpiry {
  constructor(
    housekeeping: Housekeeping,
    private readonly database: Database,
  ) {
    housekeeping.add('Deleting old deliveries', () => this.tidy());
  }

  private async tidy(): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      if ((await this.database.count(FORGET_DELIVERIES)) === 0) return;
    }
  }
}
