import type { Json } from '../support/http/api.js';
import { walk } from '../support/http/paging.js';
import { useService } from '../support/service/service.js';

const service = useService({ WEBHOOKS: 'off' });

/** The longest answer, of characters that JSON does not escape. */
const ANSWER = 'x'.repeat(1024);

async function webhookWith(deliveries: number): Promise<string> {
  const { body } = await service.api.post('/v1/webhooks', { url: 'https://partner.example/hook' });
  await service.sql.query(
    `INSERT INTO webhook_deliveries (webhook_id, type, record_id, state, is_next)
     SELECT $1, 'move.created', gen_random_uuid(), 'delivered', true FROM generate_series(1, $2)`,
    [body.id, deliveries],
  );
  return body.id as string;
}

/** Adds attempts as a replica of the first version does: one in each statement. */
async function attempt(webhook: string, first: number, last: number): Promise<void> {
  for (let second = first; second <= last; second += 1) {
    await service.sql.query(
      `INSERT INTO webhook_attempts (delivery_id, attempted_at, status, duration_ms, answer)
       SELECT id, to_timestamp($2), 500, $2, $3 FROM webhook_deliveries WHERE webhook_id = $1`,
      [webhook, second, ANSWER],
    );
  }
}

const durationsOf = (delivery: Json) => delivery.attempts.map(({ durationMs }: Json) => durationMs as number);

test('the newest 50 attempts of a delivery are kept and shown', async () => {
  const webhook = await webhookWith(2);
  await attempt(webhook, 1, 53);
  const { rows } = await service.sql.query<{ kept: string }>(
    `SELECT count(*) AS kept FROM webhook_attempts JOIN webhook_deliveries d ON d.id = delivery_id WHERE webhook_id = $1`,
    [webhook],
  );
  expect(rows[0]?.kept).toBe('100');
  const { body } = await service.api.get<Json[]>(`/v1/webhooks/${webhook}/deliveries`);
  const newest = Array.from({ length: 50 }, (_, index) => 53 - index);
  expect(body.map(durationsOf)).toEqual([newest, newest]);
  const { body: single } = await service.api.get(`/v1/webhooks/${webhook}/deliveries/${body[0].id}`);
  expect(durationsOf(single)).toEqual(newest);
});

test('20,000 attempts that an earlier version kept are not shown, and the next attempt deletes them', async () => {
  const webhook = await webhookWith(1);
  await service.sql.query('ALTER TABLE webhook_attempts DISABLE TRIGGER webhook_attempts_keep_newest');
  await service.sql.query(
    `INSERT INTO webhook_attempts (delivery_id, attempted_at, status, duration_ms, answer)
     SELECT d.id, to_timestamp(n), 500, n, $2 FROM webhook_deliveries d, generate_series(1, 20000) n WHERE webhook_id = $1`,
    [webhook, ANSWER],
  );
  await service.sql.query('ALTER TABLE webhook_attempts ENABLE TRIGGER webhook_attempts_keep_newest');
  const list = `/v1/webhooks/${webhook}/deliveries?limit=1`;
  const { body } = await service.api.get<Json[]>(list);
  expect(durationsOf(body[0])).toHaveLength(50);
  expect(JSON.stringify(body).length).toBeLessThan(100_000);
  await attempt(webhook, 20_001, 20_001);
  expect((await service.sql.query('SELECT FROM webhook_attempts')).rowCount).toBeGreaterThanOrEqual(50);
  expect(durationsOf((await service.api.get<Json[]>(list)).body[0])[0]).toBe(20_001);
});

test('a page of deliveries ends at about 1 MB, and the pages together have each delivery once', async () => {
  const webhook = await webhookWith(60);
  await attempt(webhook, 1, 50);
  const pages = await walk(service.api, `/v1/webhooks/${webhook}/deliveries?limit=200`);
  for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(1_200_000);
  const ids = pages.flat().map(({ id }) => id as string);
  expect([pages.length, ids.length, new Set(ids).size]).toEqual([4, 60, 60]);
});
