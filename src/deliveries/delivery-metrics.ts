import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import type { Statement } from '../database/statement.js';
import { EventsConnection } from '../events/events-connection.js';
import { Metrics } from '../operations/metrics.js';
import type { Attempt } from './delivery-queue.js';

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

  constructor(metrics: Metrics, connection: EventsConnection) {
    const help = 'Attempts to deliver a webhook, by outcome: delivered, retried, or failed for good';
    this.attempts = metrics.counter('waybill_webhook_attempts_total', help, ['outcome']);
    metrics.gauge('waybill_webhook_calls_in_flight', 'Calls of receivers in progress', [], (gauge) => {
      gauge.set(this.inFlight);
    });
    metrics.queriedGauges(
      () => connection.query(BACKLOG),
      [
        ['waybill_webhook_oldest_pending_seconds', 'oldestSeconds', 'Age of the oldest undelivered event'],
        ['waybill_webhooks_disabled', 'disabled', 'Webhooks that the service has disabled'],
        ['waybill_webhooks_failing', 'failing', 'Enabled webhooks whose latest delivery failed'],
      ],
    );
  }

  count({ state }: Attempt): void {
    this.attempts.inc({ outcome: state === 'pending' ? 'retried' : state });
  }
}
