import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { expectProblem } from '../support/problem.js';
import { useService } from '../support/service.js';

const ACQUIRE_MS = 4000;
const service = useService({
  POOL_SIZE: '1',
  POOL_ACQUIRE_TIMEOUT_MS: String(ACQUIRE_MS),
  REQUEST_DEADLINE_MS: '6000',
});

/** Makes every new move take so long. */
async function slowDown(seconds: number): Promise<void> {
  await service.sql.query(`
    CREATE OR REPLACE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(${seconds}); RETURN NEW; END $$;
    CREATE OR REPLACE TRIGGER dawdles BEFORE INSERT ON moves FOR EACH ROW EXECUTE FUNCTION dawdle()`);
}

async function timed<Answer>(request: Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
  const start = performance.now();
  return { answer: await request, ms: performance.now() - start };
}

test('503 at once for what cannot be served in time, 201 for what can, and health keeps answering', async () => {
  await slowDown(1.5);
  await service.api.get('/health/ready');
  // One that runs for a while, so that the service can know what a connection is held for.
  const first = service.api.post('/v1/moves', {});
  await sleep(1200);
  const burst = Promise.all(Array.from({ length: 40 }, () => timed(service.api.post('/v1/moves', {}))));
  await sleep(100);
  const health = await Promise.all(['live', 'ready'].map((name) => timed(service.api.get(`/health/${name}`))));
  for (const { answer, ms } of health) {
    expect(answer.status).toBe(200);
    expect(ms).toBeLessThan(ACQUIRE_MS / 2);
  }
  const answers = [await timed(first), ...(await burst)];
  const served = answers.filter(({ answer }) => answer.status === 201);
  const refused = answers.filter(({ answer }) => answer.status === 503);
  expect(served.length + refused.length).toBe(41);
  expect(served.length).toBeGreaterThanOrEqual(2);
  for (const { answer } of refused) {
    expectProblem(answer, 503, 'UNAVAILABLE');
    expect(answer.headers.get('Retry-After')).toBe('1');
  }
  const atOnce = refused.filter(({ ms }) => ms < ACQUIRE_MS / 2);
  // The others waited for their turn, in vain.
  expect(atOnce.length).toBeGreaterThan(refused.length / 2);
  expect((await service.sql.query('SELECT FROM moves')).rowCount).toBe(served.length);
});

test('201 again as soon as the burst is over', async () => {
  await slowDown(0);
  await eventually(async () => (await service.api.post('/v1/moves', {})).status === 201, 2000, 'writes succeed');
});
