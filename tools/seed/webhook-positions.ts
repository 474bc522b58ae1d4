import { Client } from 'pg';
import { EVENTS_AT_ONCE, FAN_OUT } from '../../src/deliveries/queue-sql.js';
import { KINDS } from '../../src/deliveries/delivery-queue.js';

/**
 * Keeps seeded events from receivers: nobody else moves the webhooks' places in the feed until they are behind these events. Earlier
 * events, which are real, get their deliveries first.
 */
export class WebhookPositions {
  private constructor(private readonly client: Client) {}

  /** All earlier events must have numbers. */
  static async hold(url: string): Promise<WebhookPositions> {
    const client = new Client({ connectionString: url, application_name: 'waybill-seed' });
    await client.connect();
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; BEGIN');
    // The service skips locked rows. The table is locked for new webhooks, which would begin among the seeded events.
    await client.query('SELECT FROM webhook_progress ORDER BY webhook_id FOR UPDATE');
    await client.query('LOCK TABLE webhook_progress IN SHARE ROW EXCLUSIVE MODE');
    for (;;) {
      const { rows } = await client.query<{ id: string }>(
        'SELECT webhook_id AS id FROM webhook_progress WHERE position < (SELECT max(number) FROM events)',
      );
      if (rows.length === 0) return new WebhookPositions(client);
      await client.query(FAN_OUT.text, [rows.map(({ id }) => id), ...KINDS, EVENTS_AT_ONCE]);
    }
  }

  /** Moves the webhooks behind the event of the history entry `last`. */
  async moveBehind(last: string): Promise<void> {
    await this.client.query(
      `UPDATE webhook_progress p SET position = e.number FROM events e WHERE e.position = $1 AND p.position < e.number`,
      [last],
    );
    await this.client.query('COMMIT');
  }

  async end(): Promise<void> {
    await this.client.end();
  }
}
