import { hashOf, newKey } from '../../src/auth/key-text.js';
import { PostgresProxy } from '../support/database/postgres-proxy.js';
import { untilBlocked } from '../support/database/activity.js';
import { Api, type Answer, type Json } from '../support/http/api.js';
import { useServiceWithKeys } from '../support/http/keys.js';
import { bearer } from '../support/http/tokens.js';
import { startApp } from '../support/service/service.js';

const { service, withToken, createKey } = useServiceWithKeys({ POOL_SIZE: '10', RATE_LIMIT: '0' });

/** Between a replica that accepts nothing but keys and PostgreSQL. */
const proxy = new PostgresProxy();
let replica: Awaited<ReturnType<typeof startApp>>;
let lookUps = 0;

beforeAll(async () => {
  await proxy.start(service.databaseUrl);
  const settings = { AUTH_MODE: 'keys', POOL_SIZE: '10', RATE_LIMIT: '0', WEBHOOKS: 'off' };
  replica = await startApp(settings, proxy.urlOf(service.databaseUrl));
  proxy.plan = (text) => {
    if (text.endsWith(' key_find')) lookUps += 1;
    return undefined;
  };
});
afterAll(async () => {
  await replica.app.close();
  await proxy.stop();
});

/** The key with another character at one place. */
function mistyped(key: string, place: number): string {
  return key.slice(0, place) + (key[place] === 'a' ? 'b' : 'a') + key.slice(place + 1);
}

function swapCase(text: string): string {
  return [...text].map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase())).join('');
}

/** Keys that were replaced more than a day ago. */
async function replaced(of: Json, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, newKey);
  await service.sql.query(
    `INSERT INTO key_hashes (hash, key_id, expires_at) SELECT unnest($1::bytea[]), $2, now() - interval '1 second'`,
    [keys.map(hashOf), of.id],
  );
  return keys;
}

async function revoked(count: number): Promise<string[]> {
  const admin = await withToken('keys:write');
  const keys = await Promise.all(Array.from({ length: count }, () => createKey({ scopes: ['moves:read'] })));
  for (const { id } of keys) expect((await admin.delete(`/v1/keys/${id}`)).status).toBe(204);
  return keys.map(({ key }) => key);
}

/** What the response says, without what differs from one request to the next. */
function contentOf({ status, headers, body: { requestID: _, ...problem } }: Answer<Json>): string {
  const changing = ['date', 'x-request-id'];
  return JSON.stringify([status, [...headers].filter(([name]) => !changing.includes(name)), problem]);
}

async function answersTo(keys: readonly string[]): Promise<Set<string>> {
  const api = new Api(replica.url);
  const contents = new Set<string>();
  const left = [...keys];
  const send = async () => {
    for (let key = left.pop(); key !== undefined; key = left.pop()) {
      contents.add(contentOf(await api.get('/v1/moves', bearer(key))));
    }
  };
  await Promise.all(Array.from({ length: 20 }, send));
  return contents;
}

test('1,000 forged, cut, mistyped, old and foreign keys get the same 401, by at most one look-up each', async () => {
  const created = await createKey({ scopes: ['moves:read'] });
  const { key } = created;
  const malformed = [
    ...Array.from({ length: 500 }, (_, turn) => mistyped(turn < 52 ? key : newKey(), turn % 52)),
    ...Array.from({ length: 51 }, (_, length) => key.slice(0, length + 1)),
    ...['0', 'a', '-', '.', '=', key].map((more) => key + more),
    ...[key.toUpperCase(), key.toLowerCase(), swapCase(key), key.replace('wb_', 'WB_'), key.slice(3)],
    ...[
      'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
      'AKIAIOSFODNN7EXAMPLE',
      'eyJhbGciOiJub25lIn0.eyJzdWIiOiJib3NzIn0.',
      'x'.repeat(4000),
    ],
  ];
  const looked = [
    ...Array.from({ length: 300 }, newKey),
    ...(await replaced(created, 100)),
    ...(await revoked(1000 - malformed.length - 400)),
  ];
  expect(new Set([...malformed, ...looked]).size).toBe(1000);

  const contents = await answersTo(malformed);
  expect([lookUps, [...contents].length]).toEqual([0, 1]);
  for (const content of await answersTo(looked)) contents.add(content);
  expect([...contents]).toEqual([expect.stringMatching(/^\[401,.*UNAUTHENTICATED/)]);
  expect(lookUps).toBeGreaterThan(0);
  expect(lookUps).toBeLessThanOrEqual(looked.length);
  expect((await new Api(replica.url).get('/v1/moves', bearer(key))).status).toBe(200);
});

test('while the database is slow, a flood of unknown keys occupies one connection, and others are served', async () => {
  const known = await withToken('moves:read');
  await service.sql.query('BEGIN; LOCK TABLE key_hashes');
  const flood = Array.from({ length: 60 }, () => service.api.get('/v1/moves', bearer(newKey())));
  await untilBlocked(service.sql);
  for (let turn = 0; turn < 20; turn += 1) expect((await known.get('/v1/moves')).status).toBe(200);
  await untilBlocked(service.sql);
  await service.sql.query('ROLLBACK');
  for (const { status } of await Promise.all(flood)) expect(status).toBe(401);
});

test('keys that are looked up together get each their own answer, also if the look-up fails', async () => {
  const keys = await Promise.all(
    ['moves:read', 'shipments:read', 'moves:read'].map(async (scope) => (await createKey({ scopes: [scope] })).key),
  );
  const api = new Api(replica.url);
  const statuses = () =>
    Promise.all([...keys, newKey()].map(async (key) => (await api.get('/v1/moves', bearer(key))).status));
  const { plan } = proxy;
  proxy.plan = (text) => (text.endsWith(' key_find') ? { refuse: '57P01' } : undefined);
  expect(await statuses()).toEqual([503, 503, 503, 503]);
  proxy.plan = plan;
  expect(await statuses()).toEqual([200, 403, 200, 401]);
});
