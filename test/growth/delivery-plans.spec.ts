import { deliveriesBefore, FORGET_DELIVERIES, FORGET_ORPHANS } from '../../src/deliveries/deliveries-sql.js';
import { DeliveryQueue } from '../../src/deliveries/delivery-queue.js';
import { BACKLOG, DUE, LOOK, RESUME_NEXT } from '../../src/deliveries/queue-sql.js';
import { explain, PLAN_MODES, sentDuring } from '../support/database/explained.js';
import { eventually } from '../support/races/eventually.js';
import { useService } from '../support/service/service.js';

/** The number of rows that a round of deliveries reads must depend neither on how many wait nor on how many were sent since the last vacuum. */
const WEBHOOKS = 5;
const WAITING = 20_000;
const ROUNDS = 200;
const CALLS = 40;
const MAX_PAGES = 400;
const RESUMED_AT_ONCE = 500;
const PAGE = 51;

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
  const attempt = { attemptedAt: new Date(), state: 'delivered', pauseMs: 0, isGone: false } as const;
  const answer = { status: 204, durationMs: 1, error: null, answer: null };
  const { rows: webhooks } = await service.sql.query<{ id: string }>('SELECT id FROM webhooks');
  const shares = new Map(webhooks.map(({ id }) => [id, 8]));
  for (let round = 0; round < ROUNDS; round += 1) {
    const claimed = await queue.claim(shares);
    expect(claimed).toHaveLength(CALLS);
    await queue.record(claimed.map((delivery) => ({ delivery, attempt: { ...attempt, ...answer } })));
  }
  const sent = await sentDuring(() => queue.claim(shares));
  const looks = [LOOK, DUE, BACKLOG].map((look) => ({ ...look, values: [] }));
  const statements = [...looks, ...sent.filter(({ text }) => text.includes('webhook_deliveries'))];
  for (const statement of statements) {
    for (const mode of PLAN_MODES) {
      // PostgreSQL marks the entries of ended leases when no transaction is left that might see them, such as one of another spec.
      const isCheap = async () => (await explain(service.sql, statement, mode)).pages <= MAX_PAGES;
      await eventually(isCheap, 300_000, `${mode}: few pages for ${statement.text}`);
    }
  }
});

test('the oldest pending delivery and the next ones to resume are found without those that were sent', async () => {
  const { sql } = service;
  const { rows: webhooks } = await sql.query<{ id: string }>('SELECT id FROM webhooks');
  await sql.query(`
    UPDATE webhook_deliveries SET state = 'delivered', lease = NULL WHERE event_number <= ${WAITING} / 2;
    UPDATE webhook_deliveries SET attempts = 3, lease = NULL WHERE state = 'pending';
    UPDATE webhook_progress SET resumed_after = 0`);
  await sql.query('VACUUM ANALYZE webhook_deliveries');
  const statements = [
    { ...BACKLOG, values: [], most: WEBHOOKS },
    // Its own execution before, which was rolled back, has left an entry for each.
    { ...RESUME_NEXT, values: [webhooks[0]?.id], most: 3 * RESUMED_AT_ONCE },
  ];
  for (const { most, ...statement } of statements) {
    for (const mode of PLAN_MODES) {
      const { rows, readWhole } = await explain(sql, statement, mode);
      expect({ mode, statement: statement.name, isBounded: rows <= most, whole: readWhole }).toEqual({
        mode,
        statement: statement.name,
        isBounded: true,
        whole: expect.not.arrayContaining(['webhook_deliveries']),
      });
    }
  }
});

test('a page of failed or pending deliveries reads no others, and a later page none before it', async () => {
  const { sql } = service;
  await sql.query(`
    UPDATE webhook_deliveries SET state = 'delivered', lease = NULL;
    UPDATE webhook_deliveries SET state = 'failed' WHERE event_number IN (1, 2, 3);
    UPDATE webhook_deliveries SET state = 'pending' WHERE event_number IN (4, 5)`);
  await sql.query('VACUUM ANALYZE webhook_deliveries');
  const { rows } = await sql.query<{ webhook: string; position: string }>(
    'SELECT webhook_id AS webhook, position FROM webhook_deliveries WHERE event_number = 100 LIMIT 1',
  );
  const { webhook, position } = rows[0] ?? {};
  for (const [states, before] of [
    [['failed'], null],
    [['pending'], null],
    [['failed', 'pending'], null],
    [[], position],
    [['failed'], position],
    [['pending'], position],
  ] as const) {
    const statement = { ...deliveriesBefore(states), values: [webhook, before, PAGE, []] };
    for (const mode of PLAN_MODES) {
      const { rows: read, readWhole } = await explain(sql, statement, mode);
      expect({ states, mode, isBounded: read <= PAGE, readWhole }).toMatchObject({ isBounded: true });
      expect(readWhole).not.toContain('webhook_deliveries');
    }
  }
});

test('old deliveries, and those of deleted webhooks, are found without the pending ones', async () => {
  const { sql } = service;
  await sql.query(`
    UPDATE webhook_deliveries SET state = 'pending', created_at = now() - interval '40 days';
    UPDATE webhook_deliveries SET state = 'delivered' WHERE event_number <= 100;
    UPDATE webhook_deliveries SET webhook_id = gen_random_uuid() WHERE event_number = 101`);
  await sql.query('VACUUM ANALYZE webhook_deliveries');
  for (const statement of [FORGET_DELIVERIES, FORGET_ORPHANS]) {
    for (const mode of PLAN_MODES) {
      const { rows, readWhole } = await explain(sql, { ...statement, values: [] }, mode);
      expect({ mode, name: statement.name, isBounded: rows <= 1000 }).toMatchObject({ isBounded: true });
      expect(readWhole).not.toContain('webhook_deliveries');
    }
  }
});
