import { DeliveryQueue } from '../../src/deliveries/delivery-queue.js';
import { useService } from '../support/service/service.js';

const service = useService();

const PENDING = 1200;
const AT_ONCE = 500;

const due = async () => {
  const { rows } = await service.sql.query<{ count: number }>(
    'SELECT count(*)::int FROM webhook_deliveries WHERE attempts = 0 AND next_attempt_at <= now()',
  );
  return rows[0]?.count;
};

test('enabling marks a backlog, and steps make it due: one that is killed between two of them is continued', async () => {
  const { api, sql } = service;
  const { body: webhook } = await api.post('/v1/webhooks', { url: 'https://partner.example/hook' });
  const { body: off } = await api.patch(`/v1/webhooks/${webhook.id}`, webhook.eTag, { enabled: false });
  await sql.query(
    `INSERT INTO webhook_deliveries (webhook_id, event_number, type, record_id, is_next, attempts, next_attempt_at)
     SELECT $1, number, 'move.created', gen_random_uuid(), true, 8, now() + interval '1 day' FROM generate_series(1, ${PENDING}) number`,
    [webhook.id],
  );
  await api.patch(`/v1/webhooks/${webhook.id}`, off.eTag, { enabled: true });
  expect(await due()).toBe(0);
  const queue = service.app.get(DeliveryQueue);
  for (const count of [AT_ONCE, 2 * AT_ONCE, PENDING]) {
    expect(await queue.resume()).toBe(true);
    expect(await due()).toBe(count);
  }
  expect(await queue.resume()).toBe(false);
});
