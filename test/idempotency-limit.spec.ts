import { KeyAllowance } from '../src/idempotency/key-allowance.js';
import type { Problem } from '../src/problem/problem.js';
import { expectProblem } from './support/problem.js';
import { startService, type TestService } from './support/service.js';
import { bearer, jwtEnvironment, KeySetServer, newKey, signToken, type SigningKey } from './support/tokens.js';

const MOST = 12;

let signingKey: SigningKey;
let keySet: KeySetServer;
let service: TestService;

beforeAll(async () => {
  signingKey = await newKey('only');
  keySet = await KeySetServer.start(signingKey);
  service = await startService({ ...jwtEnvironment(keySet.url), IDEMPOTENCY_KEYS_PER_CALLER: String(MOST) });
});
afterAll(async () => {
  await service.stop();
  await keySet.stop();
});

async function caller(subject: string) {
  const authorization = bearer(await signToken(signingKey, { scope: 'moves:write', subject }));
  return (key?: string) => {
    return service.api.post(
      '/v1/moves',
      {},
      { ...authorization, ...(key !== undefined && { 'Idempotency-Key': key }) },
    );
  };
}

async function useUpKeys(subject: string) {
  const post = await caller(subject);
  for (let used = 0; used < MOST; used += 1) expect((await post(`key-${used}`)).status).toBe(201);
  return post;
}

test('429 with Retry-After, and nothing written, once a caller has used as many keys as it may', async () => {
  const post = await useUpKeys('alice');
  const { rows: before } = await service.sql.query('SELECT count(*) FROM moves');
  const refused = await post('one-more');
  expectProblem(refused, 429, 'RATE_LIMITED');
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(86_000);
  expect(Number(refused.headers.get('Retry-After'))).toBeLessThanOrEqual(25 * 3600);
  const { rows: after } = await service.sql.query('SELECT count(*) FROM moves');
  expect(after).toEqual(before);
});

test('a caller without keys left still gets earlier answers again, and may write without a key', async () => {
  const post = await useUpKeys('bob');
  expectProblem(await post('one-more'), 429, 'RATE_LIMITED');
  const repeated = await post('key-0');
  expect([repeated.status, repeated.headers.get('Idempotency-Replayed')]).toEqual([201, 'true']);
  expect((await post()).status).toBe(201);
});

test('the keys of one caller are not counted for another', async () => {
  await useUpKeys('carol');
  const post = await caller('dave');
  expect((await post('key-0')).status).toBe(201);
});

test('a key is counted until the last key of its hour has expired, and Retry-After says when that is', () => {
  const allowance = new KeyAllowance(2);
  const at = (hour: number) => hour * 3_600_000;
  const refusalAt = (now: number) => {
    try {
      allowance.take('erin', now);
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

test('no limit without authentication, where all callers are one', async () => {
  const open = await startService({ IDEMPOTENCY_KEYS_PER_CALLER: '1' });
  try {
    for (const key of ['a', 'b', 'c']) {
      expect((await open.api.post('/v1/moves', {}, { 'Idempotency-Key': key })).status).toBe(201);
    }
  } finally {
    await open.stop();
  }
});
