import { untilBlocked } from '../support/database/activity.js';
import type { Answer, Json } from '../support/http/api.js';
import { eventually } from '../support/races/eventually.js';
import { expectProblem } from '../support/http/problem.js';
import { useService } from '../support/service/service.js';

/** Nobody who waits for a connection is refused within this test, so whoever is refused was refused at once. */
const ACQUIRE_MS = 60_000;
const BURST = 200;
/** So long the only connection is in use already when the burst comes: 60 of these are as long as anybody may wait. */
const HELD_MS = 1000;
const MAX_WAITING = ACQUIRE_MS / HELD_MS;

const GATE = 4711;
const service = useService({ POOL_SIZE: '1', POOL_ACQUIRE_TIMEOUT_MS: String(ACQUIRE_MS) });

/** Every new move waits until the test opens the gate. */
async function closeGate(): Promise<void> {
  await service.sql.query(`
    CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock_shared(${GATE}); RETURN NEW; END $$;
    CREATE TRIGGER wait_at_gate BEFORE INSERT ON moves FOR EACH ROW EXECUTE FUNCTION wait_at_gate();
    SELECT pg_advisory_lock(${GATE})`);
}

async function heldForMs(): Promise<number> {
  const { rows } = await service.sql.query<{ ms: number }>(`
    SELECT extract(epoch FROM clock_timestamp() - xact_start)::float * 1000 AS ms FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  return rows[0]?.ms ?? 0;
}

test('503 at once for what cannot be served in time, 201 for what can, and health keeps answering', async () => {
  await closeGate();
  const answers: Answer<Json>[] = [];
  const post = () => service.api.post('/v1/moves', {}).then((answer) => answers.push(answer));
  const first = post();
  await untilBlocked(service.sql);
  await eventually(async () => (await heldForMs()) > HELD_MS, 30_000, 'the connection is in use for long');

  const burst = Array.from({ length: BURST }, post);
  await eventually(() => answers.length >= BURST - MAX_WAITING, ACQUIRE_MS / 2, 'most are refused');
  for (const answer of answers) {
    expectProblem(answer, 503, 'UNAVAILABLE');
    expect(answer.headers.get('Retry-After')).toBe('1');
  }
  for (const name of ['live', 'ready']) expect((await service.api.get(`/health/${name}`)).status).toBe(200);

  await service.sql.query(`SELECT pg_advisory_unlock(${GATE})`);
  await Promise.all([first, ...burst]);
  const served = answers.filter(({ status }) => status === 201);
  expect(served.length).toBeGreaterThanOrEqual(2);
  expect(answers.filter(({ status }) => status === 503)).toHaveLength(BURST + 1 - served.length);
  expect((await service.sql.query('SELECT FROM moves')).rowCount).toBe(served.length);
});

test('201 again as soon as the burst is over', async () => {
  const isServed = async () => (await service.api.post('/v1/moves', {})).status === 201;
  await eventually(isServed, 30_000, 'writes succeed');
});
