import { eventually } from '../support/races/eventually.js';
import { type Replica, useReplica } from '../support/service/replica.js';

const PENDING = 15_000;
const KILLS = 3;

/** The name of the receiver cannot be resolved. */
const service = useReplica(() => ({ WEBHOOKS: 'on', LOG_LEVEL: 'error' }));

async function backlog({ api }: Replica): Promise<string> {
  const { body } = await api.post('/v1/webhooks', { url: 'https://receiver.invalid/', enabled: false });
  await service.sql.query(
    `INSERT INTO webhook_deliveries (webhook_id, event_number, type, record_id, is_next, attempts, next_attempt_at)
     SELECT $1, number, 'move.created', gen_random_uuid(), true, 8, now() + interval '1 day' FROM generate_series(1, ${PENDING}) number`,
    [body.id],
  );
  return body.id as string;
}

test('kill -9 between two steps of resuming: the next start continues, and makes every delivery due', async () => {
  const { replica, sql } = service;
  const id = await backlog(replica);
  const resumedAfter = async () => {
    const { rows } = await sql.query<{ after: number | null }>(
      'SELECT resumed_after::float8 AS after FROM webhook_progress WHERE webhook_id = $1',
      [id],
    );
    return rows[0]?.after ?? null;
  };
  const notDue = async () => {
    const { rows } = await sql.query<{ count: number }>(
      `SELECT count(*)::int FROM webhook_deliveries WHERE webhook_id = $1 AND attempts >= 8`,
      [id],
    );
    return rows[0]?.count ?? NaN;
  };
  const off = await replica.api.get(`/v1/webhooks/${id}`);
  expect((await replica.api.patch(`/v1/webhooks/${id}`, off.body.eTag, { enabled: true })).status).toBe(200);
  for (let kill = 0, before = 0; kill < KILLS; kill += 1) {
    await eventually(async () => ((await resumedAfter()) ?? Infinity) > before, 60_000, 'a step is done');
    await replica.kill();
    const reached = await resumedAfter();
    expect(reached).not.toBeNull();
    expect(await notDue()).toBeGreaterThan(0);
    before = reached ?? 0;
    await replica.startAgain();
  }
  await eventually(async () => (await resumedAfter()) === null, 120_000, 'all steps are done');
  expect(await notDue()).toBe(0);
}, 300_000);
