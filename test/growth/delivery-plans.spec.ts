import { DeliveryQueue } from '../../src/deliveries/delivery-queue.js';
import { LOOK } from '../../src/deliveries/queue-sql.js';
import { explain, PLAN_MODES, sentDuring } from '../support/database/explained.js';
import { eventually } from '../support/races/eventually.js';
import { useService } from '../support/service/service.js';

/** The number of rows that a round of deliveries reads must depend neither on how many wait nor on how many were sent since the last vacuum. */
const WEBHOOKS = 5;
const WAITING = 20_000;
const ROUNDS = 200;
const CALLS = 40;
const MAX_PAGES = 400;

const service = useService();

beforeAll(async () => {
  for (let count = 0; count < WEBHOOKS; count += 1) {
    const { status } = await service.api.post('/v1/webhooks', { url: 'https://receiver.example/events' });
    expect(status).toBe(201);
  }
  await service.sql.query(`
    ALTER TABLE webhook_deliveries SET (autovacuum_enabled = off);
    UPDATE webhook_progress SET last_delivery_at = now();
    INSERT INTO webhook_deliveries (webhook_id, event_number, type, record_id, is_next)
    SELECT id, number, 'shipment.updated', gen_random_uuid(), true FROM webhooks, generate_series(1, ${WAITING}) number;
    -- What killed replicas leave; the planner knows of them.
    UPDATE webhook_deliveries SET lease = gen_random_uuid(), next_attempt_at = clock_timestamp() WHERE event_number > ${WAITING} - 100;
    ANALYZE webhook_deliveries`);
});

test('a round reads as little after many others as at the beginning', async () => {
  const queue = service.app.get(DeliveryQueue);
  const attempt = { attemptedAt: new Date(), state: 'delivered', pauseMs: 0, disables: undefined } as const;
  const answer = { status: 204, durationMs: 1, error: null, answer: null };
  for (let round = 0; round < ROUNDS; round += 1) {
    const claimed = await queue.claim(64);
    expect(claimed).toHaveLength(CALLS);
    await queue.record(claimed.map((delivery) => ({ delivery, attempt: { ...attempt, ...answer } })));
  }
  const sent = await sentDuring(() => queue.claim(64));
  const statements = [{ ...LOOK, values: [] }, ...sent.filter(({ text }) => text.includes('webhook_deliveries'))];
  for (const statement of statements) {
    for (const mode of PLAN_MODES) {
      // PostgreSQL marks the entries of ended leases when no transaction is left that might see them, such as one of another spec.
      const isCheap = async () => (await explain(service.sql, statement, mode)).pages <= MAX_PAGES;
      await eventually(isCheap, 300_000, `${mode}: few pages for ${statement.text}`);
    }
  }
});
