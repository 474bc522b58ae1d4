import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Database } from '../database/database.js';
import { Slots } from '../http/slots.js';
import { validationGaps } from '../problem/database-problem.js';

const GAPS_HELP = 'Values rejected only by the database since the start; each is a gap in validation';

@Injectable()
export class Metrics {
  readonly registry = new Registry();

  private readonly requests = new Histogram({
    name: 'waybill_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its response',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  private readonly series = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>();

  private readonly preconditions = this.counter(
    'waybill_preconditions_total',
    'Requests rejected because of their version: 412 stale, 428 missing',
    ['resource', 'status'],
  );

  constructor(database: Database, slots: Slots) {
    collectDefaultMetrics({ register: this.registry });
    this.gauge('waybill_validation_gaps', GAPS_HELP, ['sqlstate'], (gauge) => {
      for (const [sqlstate, count] of validationGaps) gauge.labels(sqlstate).set(count);
    });
    this.gauge('waybill_pool_in_use', 'Database connections in use', [], (gauge) => {
      const { total, idle } = database.poolState;
      gauge.set(total - idle);
    });
    this.gauge('waybill_pool_idle', 'Idle database connections', [], (gauge) => gauge.set(database.poolState.idle));
    this.gauge('waybill_pool_waiting', 'Requests waiting for a database connection', [], (gauge) => {
      gauge.set(database.poolState.waiting);
    });
    this.gauge('waybill_slots_in_use', 'Slots in use, by kind', ['kind'], (gauge) => {
      for (const [kind, { inUse }] of slots.all) gauge.labels(kind).set(inUse);
    });
    this.gauge('waybill_slots_limit', 'Slots per replica, by kind', ['kind'], (gauge) => {
      for (const [kind, { limits }] of slots.all) gauge.labels(kind).set(limits.limit);
    });
    const help =
      'Requests rejected for lack of a slot, by kind and reason: share of the caller, or limit of the replica';
    this.counter('waybill_slots_refused_total', help, ['kind', 'reason'], (counter) => {
      for (const [kind, { rejected }] of slots.all) {
        for (const [reason, count] of Object.entries(rejected)) counter.labels(kind, reason).inc(count);
      }
    });
  }

  /** Gauges with the columns of a row that is queried once per scrape. While the query fails, they keep their values. */
  queriedGauges(
    query: () => Promise<readonly Readonly<Record<string, unknown>>[]>,
    gauges: readonly (readonly [name: string, column: string, help: string])[],
  ) {
    let row: ReturnType<typeof query> | undefined;
    for (const [name, column, help] of gauges) {
      this.gauge(name, help, [], async (gauge) => {
        row ??= query()
          .catch(() => [])
          .finally(() => (row = undefined));
        const [values] = await row;
        if (values !== undefined) gauge.set(Number(values[column]));
      });
    }
  }

  gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: (gauge: Gauge<Label>) => void | Promise<void>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      collect() {
        return read(this);
      },
    });
  }

  /** With `read`, which counts anew for each scrape; otherwise the caller counts. */
  counter<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read?: (counter: Counter<Label>) => void,
  ): Counter<Label> {
    return new Counter({
      name,
      help,
      labelNames,
      registers: [this.registry],
      collect() {
        if (read === undefined) return;
        this.reset();
        read(this);
      },
    });
  }

  observe(method: string, route: string, status: number, seconds: number): void {
    const key = `${method} ${status} ${route}`;
    let series = this.series.get(key);
    if (series === undefined) {
      series = this.requests.labels(method, route, String(status));
      this.series.set(key, series);
    }
    series.observe(seconds);
    if (status === 412 || status === 428) this.preconditions.labels(resourceOf(route), String(status)).inc();
  }
}

/** The last literal segment of a route: shipments, address, updateStatus. */
function resourceOf(route: string): string {
  return route.split('/').findLast((part) => part !== '' && !part.startsWith(':')) ?? 'none';
}
