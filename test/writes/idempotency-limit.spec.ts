import { KeyAllowance } from '../../src/writes/idempotency/key-allowance.js';
import type { Problem } from '../../src/problem/problem.js';
import { moveClock } from '../support/database/moved-clock.js';
import { expectProblem } from '../support/http/problem.js';
import { startService } from '../support/service/service.js';
import { useSecuredService } from '../support/http/tokens.js';

/** Room for a few answers. */
const MOST = 8192;

const { service, as } = useSecuredService({ IDEMPOTENCY_BYTES_PER_CALLER: String(MOST) });

async function caller(subject: string, scope = 'moves:write') {
  const api = await as({ scope, subject });
  return (key?: string, path = '/v1/moves', body: object = {}) =>
    api.post(path, body, key === undefined ? {} : { 'Idempotency-Key': key });
}

/** Writes with new keys until one is refused. */
async function useUpBytes(subject: string) {
  const post = await caller(subject);
  let status = 201;
  for (let used = 0; status === 201 && used < 100; used += 1) ({ status } = await post(`key-${used}`));
  expect(status).toBe(429);
  return post;
}

/** Keys do not name their caller. */
const IS_CALLER = `caller = encode(sha256(convert_to($1, 'UTF8')), 'hex')`;

/** How many bytes the texts have that are kept for a caller. */
async function bytesKept(subject: string): Promise<number> {
  const { rows } = await service.sql.query<{ bytes: string }>(
    `SELECT sum(octet_length(concat(caller, method, path, key, headers, body))) AS bytes
     FROM idempotency_keys WHERE ${IS_CALLER}`,
    [subject],
  );
  return Number(rows[0]?.bytes ?? 0);
}

test('429 with Retry-After, and nothing written, once a caller has no room for another answer', async () => {
  const post = await useUpBytes('alice');
  const { rows: before } = await service.sql.query('SELECT count(*) FROM moves');
  const refused = await post('one-more');
  expectProblem(refused, 429, 'RATE_LIMITED');
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(86_000);
  expect(Number(refused.headers.get('Retry-After'))).toBeLessThanOrEqual(25 * 3600);
  const { rows: after } = await service.sql.query('SELECT count(*) FROM moves');
  expect(after).toEqual(before);
  // Earlier answers, writes without a key and other callers are not affected.
  const repeated = await post('key-0');
  expect([repeated.status, repeated.headers.get('Idempotency-Replayed')]).toEqual([201, 'true']);
  expect((await post()).status).toBe(201);
  expect((await (await caller('dave'))('key-0')).status).toBe(201);
});

test('requests at one time keep no more than the caller may', async () => {
  const post = await caller('frank');
  const answers = await Promise.all(Array.from({ length: 40 }, (_, number) => post(`key-${number}`)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 429]));
  expect(await bytesKept('frank')).toBeLessThanOrEqual(MOST);
  const { rows } = await service.sql.query(`SELECT key FROM idempotency_keys WHERE ${IS_CALLER}`, ['frank']);
  expect(rows).toHaveLength(answers.filter(({ status }) => status === 201).length);
});

test('413, and nothing written, for an answer that is larger than all that a caller may keep', async () => {
  const post = await caller('grace', 'shipments:write');
  const items = Array.from({ length: 20 }, () => ({ op: 'create', values: { shipmentType: 'GRACE' } }));
  for (const atomic of [true, false]) {
    const refused = await post(`atomic-${atomic}`, '/v1/shipments/bulk', { atomic, items });
    expect(expectProblem(refused, 413, 'TOO_LARGE').detail).toContain(`${MOST} bytes`);
    expect(refused.headers.get('Retry-After')).toBeNull();
  }
  const { rows } = await service.sql.query(`SELECT id FROM shipments WHERE shipment_type = 'GRACE'`);
  expect([rows.length, await bytesKept('grace')]).toEqual([0, 0]);
});

test('bytes are counted until the last key of their hour has expired, and Retry-After says when that is', () => {
  const allowance = new KeyAllowance(2);
  const at = (hour: number) => hour * 3_600_000;
  const refusalAt = (now: number) => {
    try {
      allowance.require('erin', 1, now);
      allowance.add('erin', 1, now);
      return undefined;
    } catch (error) {
      return (error as Problem).headers['Retry-After'];
    }
  };
  expect([refusalAt(at(100.9)), refusalAt(at(101))]).toEqual([undefined, undefined]);
  expect(refusalAt(at(101))).toBe(String(24 * 3600));
  expect(refusalAt(at(125) - 1500)).toBe('2');
  expect(refusalAt(at(125))).toBeUndefined();
  expect(refusalAt(at(125))).toBe('3600');
});

test.each([
  [1, 1],
  [4, 1],
  [5, 3],
  [10, 5],
])('who waits for Retry-After has room for %d bytes, once %d hours of keys have expired', (bytes, hours) => {
  const allowance = new KeyAllowance(10);
  const at = (hour: number) => hour * 3_600_000;
  for (const [hour, used] of [4, 0, 2, 0, 4].entries()) allowance.add('erin', used, at(100 + hour));
  const require = (now: number) => () => allowance.require('erin', bytes, now);
  expect(require(at(105))).toThrow(
    expect.objectContaining({ headers: { 'Retry-After': String((hours + 19) * 3600) } }) as Problem,
  );
  expect(require(at(105 + hours + 19))).not.toThrow();
});

test('bytes that were counted while the clock was days ahead are forgotten after 25 hours', () => {
  const allowance = new KeyAllowance(1);
  const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 48 * 3_600_000);
  allowance.add('frank', 1);
  now.mockRestore();
  expect(() => allowance.require('frank', 1)).toThrow('no room for another');
  moveClock(26 * 3_600_000);
  allowance.require('frank', 1);
});

test('no limit without authentication, where all callers are one', async () => {
  const open = await startService({ IDEMPOTENCY_BYTES_PER_CALLER: '1024' });
  try {
    for (const key of ['a', 'b', 'c', 'd', 'e']) {
      expect((await open.api.post('/v1/moves', {}, { 'Idempotency-Key': key })).status).toBe(201);
    }
  } finally {
    await open.stop();
  }
});
