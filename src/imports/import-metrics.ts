import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../operations/metrics.js';
import type { Outcome } from './import-row.js';

@Injectable()
export class ImportMetrics {
  private readonly rows: Counter<'outcome'>;

  constructor({ registry }: Metrics) {
    this.rows = new Counter({
      name: 'waybill_import_rows_total',
      help: 'Rows of applied imports, by outcome',
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  count(outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) this.rows.inc({ outcome });
  }
}
