import type { Json } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { allNumbered } from '../support/records/events.js';
import { createMove, UNKNOWN_ID } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();
const URL_OF_PARTNER = 'https://partner.example/hook';

async function createWebhook(fields: object = {}): Promise<Json> {
  const { status, body } = await service.api.post('/v1/webhooks', { url: URL_OF_PARTNER, ...fields });
  expect([status, body]).toEqual([201, body]);
  return body;
}

test('a new webhook has defaults, a version and a secret that no other answer shows', async () => {
  const { api } = service;
  const created = await api.post('/v1/webhooks', { url: URL_OF_PARTNER });
  expect(created.body).toMatchObject({
    url: URL_OF_PARTNER,
    types: null,
    resourceID: null,
    moveID: null,
    payload: 'thin',
    description: null,
    enabled: true,
    state: 'active',
    disabledReason: null,
    disabledAt: null,
    lastDeliveryAt: null,
    scopes: ['moves:read', 'shipments:read', 'webhooks:read', 'keys:read'],
  });
  const { secret, ...webhook } = created.body;
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
  const path = created.headers.get('Location') ?? '';
  expect((await api.get(path)).body).toEqual(webhook);
  expect((await api.get<Json[]>('/v1/webhooks')).body[0]).toEqual(webhook);
  const { body: patched } = await api.patch(path, webhook.eTag, { description: 'x' });
  expect(patched).not.toHaveProperty('secret');
  expectProblem(await api.patch(path, webhook.eTag, { description: 'y' }), 412, 'PRECONDITION_FAILED');
});

test('what was read can be sent back, whatever the live fields were', async () => {
  const { api } = service;
  const { secret: _, ...webhook } = await createWebhook({ types: ['move.created'], payload: 'full' });
  const sent = { ...webhook, state: 'failing', lastDeliveryAt: '2026-01-01T00:00:00.000Z', description: 'put' };
  const { status, body } = await api.put(`/v1/webhooks/${webhook.id}`, webhook.eTag, sent);
  expect([status, body]).toEqual([200, { ...webhook, description: 'put', updatedAt: body.updatedAt, eTag: body.eTag }]);
  const scopes = await api.patch(`/v1/webhooks/${webhook.id}`, body.eTag, { scopes: [] });
  expectProblem(scopes, 422, 'VALIDATION_FAILED');
});

test('PUT restores the defaults', async () => {
  const webhook = await createWebhook({ types: ['move.created'], payload: 'full', enabled: false });
  expect(webhook).toMatchObject({ state: 'disabled', disabledReason: 'REQUESTED', disabledAt: expect.any(String) });
  const path = `/v1/webhooks/${webhook.id}`;
  const { body } = await service.api.put(path, webhook.eTag, { url: URL_OF_PARTNER });
  expect(body).toMatchObject({ types: null, payload: 'thin', enabled: true, disabledReason: null, disabledAt: null });
});

test.each([
  [{}, '/url'],
  [{ url: 'http://partner.example/' }, '/url'],
  [{ url: 'ftp://partner.example/' }, '/url'],
  [{ url: 'https://user:password@partner.example/' }, '/url'],
  [{ url: 'https://partner.example/#part' }, '/url'],
  [{ url: 'https://127.0.0.1/' }, '/url'],
  [{ url: 'https://[::1]/' }, '/url'],
  [{ url: 'https://0x7f.1/' }, '/url'],
  [{ url: URL_OF_PARTNER, types: [] }, '/types'],
  [{ url: URL_OF_PARTNER, types: 'move.created' }, '/types'],
  [{ url: URL_OF_PARTNER, types: ['move.imagined'] }, '/types'],
  [{ url: URL_OF_PARTNER, types: ['move.created', 'move.created'] }, '/types'],
  [{ url: URL_OF_PARTNER, payload: 'fat' }, '/payload'],
  [{ url: URL_OF_PARTNER, enabled: 'yes' }, '/enabled'],
  [{ url: URL_OF_PARTNER, moveID: 'ABC' }, '/moveID'],
  [{ url: URL_OF_PARTNER, moveID: 'ZZZZZZ' }, '/moveID'],
  [{ url: URL_OF_PARTNER, resourceID: 5 }, '/resourceID'],
  [{ url: URL_OF_PARTNER, resourceID: 'ZZZZZZ-01' }, '/resourceID'],
  [{ url: URL_OF_PARTNER, secret: 'mine' }, '/secret'],
  [{ url: URL_OF_PARTNER, state: 'active' }, '/state'],
])('%j is refused', async (body, pointer) => {
  const answer = await service.api.post('/v1/webhooks', body);
  expectProblem(answer, 422, 'VALIDATION_FAILED');
  expect(answer.body.errors.map((error: Json) => error.pointer)).toEqual([pointer]);
});

test('a move is named by its code, and the answer has its id', async () => {
  const move = await createMove(service.api);
  expect(await createWebhook({ moveID: move.moveCode })).toMatchObject({ moveID: move.id });
  expect(await createWebhook({ resourceID: UNKNOWN_ID })).toMatchObject({ resourceID: UNKNOWN_ID });
});

test('a secret is in its own table and nowhere else', async () => {
  const { api, sql } = service;
  const { secret, id } = await createWebhook();
  const { body: rotated } = await api.send('POST', `/v1/webhooks/${id}/rotateSecret`);
  await allNumbered(sql);
  const { rows } = await sql.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  const holding: string[] = [];
  for (const { name } of rows) {
    const found = await sql.query(`SELECT FROM ${name} t WHERE t::text LIKE ANY ($1)`, [
      [secret, rotated.secret].map((each) => `%${each.slice(6)}%`),
    ]);
    if (found.rowCount !== 0) holding.push(name);
  }
  expect(holding).toEqual(['webhook_secrets']);
  for (const path of ['', '/history', '/deliveries'].map((end) => `/v1/webhooks/${id}${end}`)) {
    expect(JSON.stringify((await api.get(path)).body)).not.toMatch(/whsec|secret/);
  }
  expect(JSON.stringify((await api.get(`/v1/events?resourceID=${id}`)).body)).not.toMatch(/whsec|secret/);
});

test('history and feed have the changes of a webhook', async () => {
  const { api, sql } = service;
  const webhook = await createWebhook();
  const path = `/v1/webhooks/${webhook.id}`;
  const { body: off } = await api.patch(path, webhook.eTag, { enabled: false, types: ['move.created'] });
  await api.patch(path, off.eTag, { enabled: true });
  await api.delete(path);
  const { body: entries } = await api.get<Json[]>(`${path}/history`);
  expect(entries.map(({ type }) => type)).toEqual(['deleted', 'updated', 'disabled', 'created']);
  expect(entries[2].changes).toContainEqual({ field: 'types', from: null, to: ['move.created'] });
  await allNumbered(sql);
  const { body: events } = await api.get<Json[]>(`/v1/events?resourceID=${webhook.id}`);
  expect(events.map(({ type }) => type)).toEqual([
    'webhook.created',
    'webhook.disabled',
    'webhook.updated',
    'webhook.deleted',
  ]);
  const left = await sql.query(
    `SELECT FROM webhook_secrets WHERE webhook_id = $1 UNION ALL SELECT FROM webhook_progress WHERE webhook_id = $1`,
    [webhook.id],
  );
  expect(left.rowCount).toBe(0);
});
