import { spawnSync } from 'node:child_process';
import { hashOf } from '../../src/auth/key-text.js';
import { SCOPES } from '../../src/auth/scopes.js';
import { bearer } from '../support/http/tokens.js';
import { useService } from '../support/service/service.js';

const service = useService({ AUTH_MODE: 'keys' });

function keys(...words: string[]) {
  const env = { PATH: process.env['PATH'], DATABASE_URL: service.databaseUrl };
  const run = spawnSync(process.execPath, ['dist/tools/keys/main.js', ...words], { encoding: 'utf8', env });
  return { code: run.status, key: run.stdout.trim(), said: run.stderr };
}

test('the first key is made by the owner, has all scopes, and works at once', async () => {
  const { code, key, said } = keys('create', '--name', 'Admin');
  expect([code, said]).toEqual([0, expect.stringContaining('shown only once')]);
  const { status, body } = await service.api.get('/v1/keys', bearer(key));
  expect([status, body]).toEqual([200, [expect.objectContaining({ name: 'Admin', scopes: SCOPES, state: 'active' })]]);
  expect(body[0].createdBy).toMatch(/^sql:/);
  const { rows } = await service.sql.query('SELECT hash FROM key_hashes');
  expect(rows).toEqual([{ hash: hashOf(key) }]);
});

test('its scopes and its expiry can be chosen', async () => {
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  const { key } = keys('create', '--name', 'Carrier', '--scopes', 'keys:read,moves:read', '--expires', expires);
  const { body } = await service.api.get('/v1/keys', bearer(key));
  expect(body[0]).toMatchObject({ name: 'Carrier', scopes: ['moves:read', 'keys:read'], expiresAt: expires });
});

test.each([
  [['create'], /\/name is required/],
  [['create', '--name', 'x', '--scopes', 'moves:imagine'], /\/scopes must have only these scopes/],
  [['create', '--name', 'x', '--expires', 'soon'], /\/expiresAt must be an RFC 3339 timestamp/],
  [['create', '--name', 'x', '--expires', '2020-01-01T00:00:00Z'], /\/expiresAt must be in the future/],
  [['invent'], /The only command is create/],
])('%j is refused in a sentence', (words, sentence) => {
  const { code, key, said } = keys(...words);
  expect([code, key, said]).toEqual([1, '', expect.stringMatching(sentence)]);
  expect(said).not.toMatch(/^\s+at /m);
});
