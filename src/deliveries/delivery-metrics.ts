import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import type { Statement } from '../database/statement.js';
import { EventsConnection } from '../events/events-connection.js';
import { Metrics } from '../operations/metrics.js';
import type { Attempt } from './delivery-queue.js';

interface Backlog {
  readonly oldestSeconds: number;
  readonly disabled: number;
  readonly failing: number;
}

/** The first pending delivery of each enabled webhook, by the index of deliveries that are next; and webhooks by state. */
const BACKLOG: Statement = {
  name: 'webhook_backlog',
  text: `
    SELECT coalesce(max(extract(epoch FROM clock_timestamp() - oldest.created_at)) FILTER (WHERE w.enabled), 0)::float8 AS "oldestSeconds",
      count(*) FILTER (WHERE w.disabled_reason <> 'REQUESTED')::int AS disabled,
      count(*) FILTER (WHERE w.enabled AND p.failing_since IS NOT NULL)::int AS failing
    FROM webhooks w JOIN webhook_progress p ON p.webhook_id = w.id
    LEFT JOIN LATERAL (
      SELECT created_at FROM webhook_deliveries
      WHERE webhook_id = w.id AND state = 'pending' AND is_next ORDER BY next_attempt_at LIMIT 1
    ) oldest ON true`,
};

@Injectable()
export class DeliveryMetrics {
  inFlight = 0;
  private readonly attempts: Counter<'outcome'>;

  constructor({ registry }: Metrics, connection: EventsConnection) {
    const registers = [registry];
    this.attempts = new Counter({
      name: 'waybill_webhook_attempts_total',
      help: 'Attempts to deliver a webhook, by outcome: delivered, retried, or failed for good',
      labelNames: ['outcome'],
      registers,
    });
    const gauge = (name: string, help: string, collect?: (gauge: Gauge) => void | Promise<void>) =>
      new Gauge({
        name,
        help,
        registers,
        ...(collect && {
          collect() {
            return collect(this);
          },
        }),
      });
    gauge('waybill_webhook_calls_in_flight', 'Calls of receivers in progress', (own) => own.set(this.inFlight));
    const disabled = gauge('waybill_webhooks_disabled', 'Webhooks that the service has disabled');
    const failing = gauge('waybill_webhooks_failing', 'Enabled webhooks whose latest delivery failed');
    gauge('waybill_webhook_oldest_pending_seconds', 'Age of the oldest undelivered event', async (own) => {
      // While the database is unavailable, the values stay unchanged.
      const [now] = await connection.query<Backlog>(BACKLOG).catch(() => []);
      if (now === undefined) return;
      own.set(now.oldestSeconds);
      disabled.set(now.disabled);
      failing.set(now.failing);
    });
  }

  count({ state }: Attempt): void {
    this.attempts.inc({ outcome: state === 'pending' ? 'retried' : state });
  }
}
