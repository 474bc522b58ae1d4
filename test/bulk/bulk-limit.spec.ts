import { moveClock } from '../support/database/moved-clock.js';
import { expectProblem } from '../support/http/problem.js';
import { useService } from '../support/service/service.js';

/** One request of a caller becomes possible again every 15 seconds, so that a slow test run still meets its limit. */
const LIMIT = 4;

const service = useService({ RATE_LIMIT: String(LIMIT), TRUSTED_PROXIES: 'loopback' });

/** Sends a bulk of so many new shipments, as the caller of this address. */
function bulk(count: number, address: string, atomic = true) {
  const items = Array.from({ length: count }, () => ({ op: 'create', values: { shipmentType: address } }));
  return service.api.post('/v1/shipments/bulk', { atomic, items }, { 'X-Forwarded-For': address });
}

async function created(address: string): Promise<number> {
  const { rows } = await service.sql.query('SELECT id FROM shipments WHERE shipment_type = $1', [address]);
  return rows.length;
}

test.each([true, false])('413 with the number that fits for a bulk that never fits, atomic: %s', async (atomic) => {
  const address = atomic ? '192.0.2.1' : '192.0.2.2';
  const refused = await bulk(LIMIT + 1, address, atomic);
  expect(expectProblem(refused, 413, 'TOO_LARGE').detail).toContain(`more than ${LIMIT} items`);
  expect(refused.headers.get('Retry-After')).toBeNull();
  expect(await created(address)).toBe(0);
});

test('200 or 207 for a bulk of all the requests of a minute', async () => {
  expect((await bulk(LIMIT, '192.0.2.3')).status).toBe(200);
  expect((await bulk(LIMIT, '192.0.2.4', false)).status).toBe(207);
});

const waitFor = (refused: { headers: Headers }) => moveClock(Number(refused.headers.get('Retry-After')) * 1000);

test.each([2, 3, 4])('a bulk of %d items that waits for Retry-After is taken', async (count) => {
  const address = `192.0.2.1${count}`;
  await bulk(LIMIT - 1, address);
  const refused = await bulk(count, address);
  expectProblem(refused, 429, 'RATE_LIMITED');
  // Another bulk that is refused meanwhile does not use up what becomes free.
  expectProblem(await bulk(LIMIT, address), 429, 'RATE_LIMITED');
  waitFor(refused);
  expect((await bulk(count, address)).status).toBe(200);
});

test('a bulk waits once more if it was refused before its items were read', async () => {
  const address = '192.0.2.20';
  await bulk(LIMIT, address);
  waitFor(await bulk(LIMIT, address));
  const refused = await bulk(LIMIT, address);
  expectProblem(refused, 429, 'RATE_LIMITED');
  waitFor(refused);
  expect((await bulk(LIMIT, address)).status).toBe(200);
});
