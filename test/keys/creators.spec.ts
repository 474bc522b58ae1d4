import type { Json } from '../support/http/api.js';
import { useServiceWithKeys } from '../support/http/keys.js';
import { bearer } from '../support/http/tokens.js';
import { eventually } from '../support/races/eventually.js';

const { service, withToken, createKey } = useServiceWithKeys();
const PATIENCE_MS = 20_000;

const admin = () => withToken('keys:read keys:write', 'admin-2');

async function lackedBy({ id }: Json): Promise<string[]> {
  const [[read], listed] = [
    [(await (await admin()).get(`/v1/keys/${id}`)).body],
    (await (await admin()).get<Json[]>('/v1/keys')).body,
  ];
  expect(listed.find((each) => each.id === id)).toEqual(read);
  return read.creatorLacks;
}

/** As if everything that is known about creators had been learned so many hours earlier. */
async function pass(hours: number): Promise<void> {
  await service.sql.query(
    `UPDATE key_progress SET creator_scopes = (
       SELECT jsonb_object_agg(key, value::int - $1) FROM jsonb_each_text(creator_scopes)
     )`,
    [hours],
  );
}

async function untilLacked(key: Json, scopes: readonly string[]): Promise<void> {
  await eventually(async () => (await lackedBy(key)).join() === scopes.join(), PATIENCE_MS, 'the list shows it');
}

/** Calls with a token that this replica has not seen in this hour. */
async function callWith(scope: string, subject: string): Promise<void> {
  expect((await (await withToken(scope, subject)).get('/v1/overview')).status).toBe(403);
}

test('the list shows the scopes that the creator of a key no longer has, and the key keeps them', async () => {
  const writer = await withToken('keys:write moves:read moves:write', 'ann');
  const { body: key } = await writer.post('/v1/keys', { name: 'x', scopes: ['moves:read', 'moves:write'] });
  expect(key.creatorLacks).toEqual([]);
  expect(await lackedBy(key)).toEqual([]);
  // Another token of the same person, which has fewer scopes.
  await callWith('moves:read', 'ann');
  expect(await lackedBy(key)).toEqual([]);
  await pass(25);
  expect(await lackedBy(key)).toEqual([]);
  await callWith('moves:read keys:read', 'ann');
  await untilLacked(key, ['moves:write']);
  expect((await service.api.as(bearer(key.key)).post('/v1/moves', {})).status).toBe(201);
  await pass(25);
  await callWith('', 'ann');
  await untilLacked(key, ['moves:read', 'moves:write']);
  await callWith('moves:read moves:write', 'ann');
  await untilLacked(key, []);
});

test('nothing is known of a creator who does not call, and nothing is stored of callers without keys', async () => {
  const key = await createKey({ scopes: ['moves:read'] });
  await pass(1000);
  await callWith('moves:write', 'somebody-else');
  expect(await lackedBy(key)).toEqual([]);
  const { rows } = await service.sql.query(
    `SELECT FROM key_progress WHERE creator = encode(sha256('somebody-else'), 'hex')`,
  );
  expect(rows).toEqual([]);
});

test('a key lacks nothing while the key that created it has its scopes, and everything once that is revoked', async () => {
  const parent = await createKey({ scopes: ['keys:write', 'moves:read', 'moves:write'] });
  const scopes = ['moves:read', 'moves:write'];
  const { body: child } = await service.api.as(bearer(parent.key)).post('/v1/keys', { name: 'child', scopes });
  expect(await lackedBy(child)).toEqual([]);
  const owner = await withToken('keys:write keys:read moves:read moves:write', 'owner');
  expect((await owner.patch(`/v1/keys/${parent.id}`, '*', { scopes: ['moves:read'] })).status).toBe(200);
  expect(await lackedBy(child)).toEqual(['moves:write']);
  await owner.delete(`/v1/keys/${parent.id}`);
  expect(await lackedBy(child)).toEqual(scopes);
  expect((await service.api.get('/v1/moves', bearer(child.key))).status).toBe(200);
});
