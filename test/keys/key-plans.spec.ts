import { newKey } from '../../src/auth/key-text.js';
import { explain, PLAN_MODES, sentDuring } from '../support/database/explained.js';
import type { Json } from '../support/http/api.js';
import { useServiceWithKeys } from '../support/http/keys.js';
import { bearer } from '../support/http/tokens.js';

const COUNT = 20_000;
/** Rows that a statement may read besides those that it is asked for. */
const FEW = 20;

const { service, withToken, createKey } = useServiceWithKeys();
let key: Json;

beforeAll(async () => {
  const { sql } = service;
  await sql.query(`
    BEGIN; SET LOCAL session_replication_role = replica;
    INSERT INTO keys (id, name, scopes, expires_at, created_by)
      SELECT gen_random_uuid(), 'key ' || n, '{moves:read}', now() + interval '1 year', 'admin-2' FROM generate_series(1, ${COUNT}) n;
    INSERT INTO key_hashes (hash, key_id) SELECT sha256(id::text::bytea), id FROM keys;
    INSERT INTO key_progress (key_id, creator) SELECT id, encode(sha256(id::text::bytea), 'hex') FROM keys;
    COMMIT`);
  await sql.query('VACUUM ANALYZE');
  key = await createKey({ scopes: ['moves:read'] });
});

const get = (token: string) => service.api.get('/v1/moves', bearer(token));
const many = (tokens: string[]) => Promise.all(tokens.map(get));
const administer = async (work: (api: Awaited<ReturnType<typeof withToken>>) => Promise<unknown>) =>
  work(await withToken('keys:read keys:write moves:read'));

/** What asks about keys, how many rows it asks for, and the work. */
const REQUESTS: [string, number, () => Promise<unknown>][] = [
  ['a key', 1, () => get(key.key)],
  ['an unknown key', 1, () => get(newKey())],
  ['100 unknown keys at once', 100, () => many(Array.from({ length: 100 }, newKey))],
  ['a page of keys', 50, () => administer((api) => api.get('/v1/keys'))],
  ['a creation', 1, () => administer((api) => api.post('/v1/keys', { name: 'x', scopes: ['moves:read'] }))],
  ['a rotation', 1, () => administer((api) => api.send('POST', `/v1/keys/${key.id}/rotateKey`))],
  ['a revocation', 1, () => administer((api) => api.delete(`/v1/keys/${key.id}`))],
];

test.each(REQUESTS)('%s reads a few rows by an index, however many keys there are', async (_, asked, work) => {
  const statements = (await sentDuring(work))
    .filter(({ text }) => /\bkeys|key_(hashes|progress)\b/.test(text))
    // Insertions cannot be executed again, and look nothing up.
    .filter(({ text }) => !text.includes('INSERT INTO key'));
  expect(statements).not.toEqual([]);
  for (const sent of statements) {
    for (const mode of PLAN_MODES) {
      const { rows, readWhole } = await explain(service.sql, sent, mode);
      const keyTables = readWhole.filter((table) => table.startsWith('key'));
      expect([sent.text, keyTables, rows <= asked + FEW]).toEqual([sent.text, [], true]);
    }
  }
});
