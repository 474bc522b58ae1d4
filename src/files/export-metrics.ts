import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../operations/metrics.js';
import { Exports } from './exports.js';

/** What operators see of exports. */
@Injectable()
export class ExportMetrics {
  constructor({ registry }: Metrics, exports: Exports) {
    new Counter({
      name: 'waybill_exports_total',
      help: 'Exports by how they ended: complete, left by their client, failed, or refused because there were too many',
      labelNames: ['outcome'] as const,
      registers: [registry],
      collect() {
        this.reset();
        for (const [outcome, count] of Object.entries(exports.outcomes)) this.labels(outcome).inc(count);
      },
    });
  }
}
