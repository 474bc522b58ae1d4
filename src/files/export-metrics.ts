import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../operations/metrics.js';
import { Exports } from './exports.js';

@Injectable()
export class ExportMetrics {
  constructor({ registry }: Metrics, exports: Exports) {
    new Counter({
      name: 'waybill_exports_total',
      help: 'Exports by outcome: complete, left by the client, failed, or refused because of too many exports',
      labelNames: ['outcome'] as const,
      registers: [registry],
      collect() {
        this.reset();
        for (const [outcome, count] of Object.entries(exports.outcomes)) this.labels(outcome).inc(count);
      },
    });
  }
}
