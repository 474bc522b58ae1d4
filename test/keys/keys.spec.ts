import { readFileSync } from 'node:fs';
import { hashOf, isKey, KEY_PATTERN } from '../../src/auth/key-text.js';
import type { Json } from '../support/http/api.js';
import { useServiceWithKeys } from '../support/http/keys.js';
import { expectProblem } from '../support/http/problem.js';
import { bearer } from '../support/http/tokens.js';

const { service, withToken, createKey, withKey } = useServiceWithKeys();

const DAY_MS = 86_400_000;
const ALL_OF_KEYS = 'keys:read keys:write';

test('a new key is shown once, works with its scopes and no others, and is the author of its changes', async () => {
  const { key, notice, ...record } = await createKey({ scopes: ['moves:write', 'moves:read'] });
  expect(notice).toContain('Store it now');
  expect(isKey(key)).toBe(true);
  expect(record).toMatchObject({
    name: 'Carrier North',
    scopes: ['moves:read', 'moves:write'],
    createdBy: 'admin-1',
    state: 'active',
    lastUsedAt: null,
  });
  expect(Date.parse(record.expiresAt) - Date.now()).toBeGreaterThan(364 * DAY_MS);
  const admin = await withToken(ALL_OF_KEYS);
  expect((await admin.get(`/v1/keys/${record.id}`)).body).toEqual(record);
  expect((await admin.get<Json[]>('/v1/keys')).body[0]).toEqual(record);

  const api = service.api.as(bearer(key));
  const { status, body: move } = await api.post('/v1/moves', {});
  expect(status).toBe(201);
  const [entry] = (await api.get<Json[]>(`/v1/moves/${move.id}/history`)).body;
  expect(entry).toMatchObject({ changedBy: 'Carrier North', subject: `key:${record.id}` });
  const refused = expectProblem(await api.get('/v1/shipments'), 403, 'FORBIDDEN');
  expect(refused.missingScope).toBe('shipments:read');
  const { lastUsedAt } = (await admin.get(`/v1/keys/${record.id}`)).body;
  expect(lastUsedAt).toMatch(/:00:00\.000Z$/);
});

test('nobody gives a key more than they have, by creating, changing or rotating it; everybody may revoke it', async () => {
  const { key: _, ...record } = await createKey({ scopes: ['shipments:write'] });
  const path = `/v1/keys/${record.id}`;
  const few = await withToken(ALL_OF_KEYS);
  const missing = async (answer: Promise<Json>) => expectProblem(await answer, 403, 'FORBIDDEN').missingScope;
  expect(await missing(few.post('/v1/keys', { name: 'x', scopes: ['moves:read'] }))).toBe('moves:read');
  expect(await missing(few.patch(path, record.eTag, { name: 'x' }))).toBe('shipments:write');
  expect(await missing(few.put(path, record.eTag, { name: 'x', scopes: ['keys:read'] }))).toBe('shipments:write');
  expect(await missing(few.send('POST', `${path}/rotateKey`))).toBe('shipments:write');
  const writer = await withToken(`${ALL_OF_KEYS} shipments:write`);
  expect(await missing(writer.patch(path, record.eTag, { scopes: ['moves:write'] }))).toBe('moves:write');
  const narrowed = await writer.patch(path, record.eTag, { scopes: ['keys:read'] });
  expect([narrowed.status, narrowed.body.scopes]).toEqual([200, ['keys:read']]);
  expect((await few.delete(path)).status).toBe(204);
});

test('a key that may create keys gives them no more than it has', async () => {
  const api = await withKey('keys:write', 'moves:read');
  const { status, body } = await api.post('/v1/keys', { name: 'child', scopes: ['moves:read'] });
  expect([status, body.createdBy]).toEqual([201, 'Carrier North']);
  expectProblem(await api.post('/v1/keys', { name: 'x', scopes: ['moves:write'] }), 403, 'FORBIDDEN');
});

test('a key that was just revoked or narrowed gives nothing to keys, although it is still believed', async () => {
  const scopes = ['keys:write', 'moves:read', 'moves:write'];
  const [narrowed, revoked] = [await createKey({ scopes }), await createKey({ scopes })];
  const other = await createKey({ scopes: ['moves:write'] });
  const [one, two] = [narrowed, revoked].map(({ key }) => service.api.as(bearer(key)));
  if (one === undefined || two === undefined) throw new Error('There are two keys');
  const admin = await withToken(`${ALL_OF_KEYS} moves:read moves:write`);
  // They are believed for a few seconds from here on.
  for (const api of [one, two]) expect((await api.get('/v1/moves')).status).toBe(200);
  const left = { scopes: ['keys:write', 'moves:read'] };
  expect((await admin.patch(`/v1/keys/${narrowed.id}`, '*', left)).status).toBe(200);
  expect((await admin.delete(`/v1/keys/${revoked.id}`)).status).toBe(204);

  const child = { name: 'child', scopes: ['moves:write'] };
  const attempts = (api: typeof one) => [
    api.post('/v1/keys', child),
    api.patch(`/v1/keys/${other.id}`, '*', { name: 'mine' }),
    api.put(`/v1/keys/${other.id}`, '*', child),
    api.send('POST', `/v1/keys/${other.id}/rotateKey`),
    api.patch(`/v1/keys/${narrowed.id}`, '*', { scopes }),
  ];
  for (const answer of await Promise.all(attempts(one))) {
    expect(expectProblem(answer, 403, 'FORBIDDEN').missingScope).toBe('moves:write');
  }
  for (const answer of await Promise.all(attempts(two))) expectProblem(answer, 401, 'UNAUTHENTICATED');
  expect((await one.post('/v1/keys', { name: 'child', scopes: ['moves:read'] })).status).toBe(201);
});

test('a creation that is repeated with its Idempotency-Key answers without the key, and says how to get one', async () => {
  const api = await withToken(`${ALL_OF_KEYS} moves:read`);
  const once = { 'Idempotency-Key': crypto.randomUUID() };
  const create = () => api.post('/v1/keys', { name: 'x', scopes: ['moves:read'] }, once);
  const [first, second] = [await create(), await create()];
  const { key, notice: _, ...record } = first.body;
  expect(second.status).toBe(201);
  expect(second.body).toEqual({
    ...record,
    key: null,
    notice: expect.stringContaining(`/v1/keys/${record.id}/rotateKey`),
  });
  const path = `/v1/keys/${record.id}/rotateKey`;
  const rotated = await api.send('POST', path, undefined, once);
  const repeated = await api.send('POST', path, undefined, once);
  expect([isKey(rotated.body.key), repeated.body.key]).toEqual([true, null]);
  const { rows } = await service.sql.query<{ stored: string }>(
    `SELECT string_agg(t::text, ' ') AS stored FROM idempotency_keys t`,
  );
  for (const text of [key, rotated.body.key]) {
    expect(rows[0]?.stored).not.toContain(text);
    expect(rows[0]?.stored).not.toContain(hashOf(text).toString('hex'));
  }
});

test('after a rotation, both keys work for a day, and the record has a new version', async () => {
  const { key, eTag, id } = await createKey({ scopes: ['moves:read', 'keys:write'] });
  const api = service.api.as(bearer(key));
  const { body: rotated } = await api.send('POST', `/v1/keys/${id}/rotateKey`, undefined, { 'If-Match': eTag });
  expect(rotated.eTag).not.toBe(eTag);
  for (const each of [key, rotated.key]) expect((await service.api.get('/v1/moves', bearer(each))).status).toBe(200);
  const { rows } = await service.sql.query<{ hours: number }>(
    `SELECT round(extract(epoch FROM expires_at - now()) / 3600)::int AS hours FROM key_hashes WHERE key_id = $1 AND expires_at IS NOT NULL`,
    [id],
  );
  expect(rows).toEqual([{ hours: 24 }]);
  expectProblem(
    await api.send('POST', `/v1/keys/${id}/rotateKey`, undefined, { 'If-Match': eTag }),
    412,
    'PRECONDITION_FAILED',
  );
});

test('the response to a rotation says if the record has expired, so that the new key does not work yet', async () => {
  const { id } = await createKey({ scopes: ['moves:read'] });
  const api = await withToken(`${ALL_OF_KEYS} moves:read`);
  await service.sql.query('UPDATE keys SET expires_at = now() WHERE id = $1', [id]);
  const { body: rotated } = await api.send('POST', `/v1/keys/${id}/rotateKey`);
  expect([rotated.state, rotated.notice]).toEqual(['expired', expect.stringContaining('Change expiresAt')]);
  expect((await api.patch(`/v1/keys/${id}`, rotated.eTag, { expiresAt: null })).status).toBe(200);
  expect((await service.api.get('/v1/moves', bearer(rotated.key))).status).toBe(200);
});

test('a key can be rotated ten times a day', async () => {
  const { id } = await createKey({ scopes: ['moves:read'] });
  const api = await withToken(`${ALL_OF_KEYS} moves:read`);
  const rotate = () => api.send('POST', `/v1/keys/${id}/rotateKey`);
  for (let turn = 0; turn < 10; turn += 1) expect((await rotate()).status).toBe(200);
  expectProblem(await rotate(), 409, 'LIMIT_REACHED');
});

test('docs/api.md has the pattern by which secret scanners find keys', () => {
  const [, pattern = ''] = /by the pattern `(.*?)`/.exec(readFileSync('docs/api.md', 'utf8')) ?? [];
  expect(`^${pattern}$`).toBe(KEY_PATTERN);
});

test.each([
  [{ scopes: ['moves:read'] }, '/name'],
  [{ name: ' ', scopes: ['moves:read'] }, '/name'],
  [{ name: 'x'.repeat(101), scopes: ['moves:read'] }, '/name'],
  [{ name: 'x' }, '/scopes'],
  [{ name: 'x', scopes: [] }, '/scopes'],
  [{ name: 'x', scopes: 'moves:read' }, '/scopes'],
  [{ name: 'x', scopes: ['moves:imagine'] }, '/scopes'],
  [{ name: 'x', scopes: [{}] }, '/scopes'],
  [{ name: 'x', scopes: ['moves:read', 'moves:read'] }, '/scopes'],
  [{ name: 'x', scopes: ['moves:read'], expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt'],
  [{ name: 'x', scopes: ['moves:read'], expiresAt: '2190-01-01T00:00:00Z' }, '/expiresAt'],
  [{ name: 'x', scopes: ['moves:read'], expiresAt: 'tomorrow' }, '/expiresAt'],
  [{ name: 'x', scopes: ['moves:read'], key: 'mine' }, '/key'],
  [{ name: 'x', scopes: ['moves:read'], createdBy: 'me' }, '/createdBy'],
])('%j is refused at %s', async (body, pointer) => {
  const api = await withToken(`${ALL_OF_KEYS} moves:read`);
  const problem = expectProblem(await api.post('/v1/keys', body), 422, 'VALIDATION_FAILED');
  expect(problem.errors).toMatchObject([{ pointer }]);
});

test('what was read can be sent back, also when the key has expired', async () => {
  const { key: _, notice: __, ...record } = await createKey({ scopes: ['moves:read'] });
  await service.sql.query(`UPDATE keys SET expires_at = now() - interval '1 day' WHERE id = $1`, [record.id]);
  const api = await withToken(`${ALL_OF_KEYS} moves:read`);
  const path = `/v1/keys/${record.id}`;
  const { body: expired } = await api.get(path);
  expect(expired.state).toBe('expired');
  const put = await api.put(path, expired.eTag, { ...expired, name: 'y' });
  expect([put.status, put.body]).toEqual([
    200,
    { ...expired, name: 'y', eTag: put.body.eTag, updatedAt: put.body.updatedAt },
  ]);
});

test('an expired key is refused, and a deleted one is unknown', async () => {
  const { key, id } = await createKey({ scopes: ['moves:read'] });
  await service.sql.query(`UPDATE keys SET expires_at = now() WHERE id = $1`, [id]);
  const expired = await service.api.get('/v1/moves', bearer(key));
  expect(expectProblem(expired, 401, 'UNAUTHENTICATED').detail).toContain('expired');
  const { key: other, id: otherID } = await createKey({ scopes: ['moves:read'] });
  await (await withToken(ALL_OF_KEYS)).delete(`/v1/keys/${otherID}`);
  expectProblem(await service.api.get('/v1/moves', bearer(other)), 401, 'UNAUTHENTICATED');
});
