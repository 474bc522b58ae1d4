import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { LimitedSlots, Slots } from '../http/slots.js';
import { validationGaps } from '../problem/validation-gaps.js';

interface PoolState {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Prometheus metrics. */
export class Metrics {
  readonly registry = new Registry();

  private readonly requests = new Histogram({
    name: 'waybill_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its response',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  /** Caches the series by labels. */
  private readonly series = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>();

  private readonly preconditions = new Counter({
    name: 'waybill_preconditions_total',
    help: 'Requests rejected because of their version: 412 stale, 428 missing',
    labelNames: ['resource', 'status'] as const,
    registers: [this.registry],
  });

  constructor(poolState: () => PoolState, slots: Slots) {
    this.observeSlots(slots);
    new Gauge({
      name: 'waybill_validation_gaps',
      help: 'Values rejected only by the database since the start; each is a gap in validation',
      labelNames: ['sqlstate'] as const,
      registers: [this.registry],
      collect() {
        for (const [sqlstate, count] of validationGaps()) this.labels(sqlstate).set(count);
      },
    });
    collectDefaultMetrics({ register: this.registry });
    const gauge = (name: string, help: string, read: (state: PoolState) => number) =>
      new Gauge({
        name,
        help,
        registers: [this.registry],
        collect() {
          this.set(read(poolState()));
        },
      });
    gauge('waybill_pool_in_use', 'Database connections in use', ({ total, idle }) => total - idle);
    gauge('waybill_pool_idle', 'Idle database connections', ({ idle }) => idle);
    gauge('waybill_pool_waiting', 'Requests waiting for a database connection', ({ waiting }) => waiting);
  }

  private observeSlots(slots: Slots): void {
    const kinds: readonly [string, LimitedSlots][] = Object.entries(slots);
    const registers = [this.registry];
    const labelNames = ['kind'] as const;
    new Gauge({
      name: 'waybill_slots_in_use',
      help: 'Slots in use, by kind',
      labelNames,
      registers,
      collect() {
        for (const [kind, { inUse }] of kinds) this.labels(kind).set(inUse);
      },
    });
    const limits = new Gauge({
      name: 'waybill_slots_limit',
      help: 'Slots per replica, by kind',
      labelNames,
      registers,
    });
    for (const [kind, { limit }] of kinds) limits.labels(kind).set(limit);
    new Counter({
      name: 'waybill_slots_refused_total',
      help: 'Requests rejected for lack of a slot, by kind and reason: share of the caller, or limit of the replica',
      labelNames: ['kind', 'reason'] as const,
      registers,
      collect() {
        this.reset();
        for (const [kind, { refused }] of kinds) {
          for (const [reason, count] of Object.entries(refused)) this.labels(kind, reason).inc(count);
        }
      },
    });
  }

  answered(method: string, route: string, status: number, seconds: number): void {
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
