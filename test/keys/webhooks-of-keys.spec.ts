import type { Json } from '../support/http/api.js';
import { useServiceWithKeys } from '../support/http/keys.js';
import { Receiver } from '../support/http/receiver.js';
import { bearer } from '../support/http/tokens.js';
import { eventually } from '../support/races/eventually.js';
import { allNumbered } from '../support/records/events.js';
import { createMove } from '../support/records/records.js';
import { LOOPBACK } from '../support/records/webhooks.js';

const { service, withToken, createKey } = useServiceWithKeys(LOOPBACK);
const SCOPES = ['moves:read', 'moves:write', 'webhooks:read', 'webhooks:write'];
const PATIENCE_MS = 20_000;

let receiver: Receiver;
beforeEach(async () => {
  receiver = await Receiver.start();
});
afterEach(() => receiver.stop());

const admin = () => withToken(`keys:write ${SCOPES.join(' ')}`);

async function webhookOf(key: Json): Promise<Json> {
  await allNumbered(service.sql);
  const { body } = await service.api
    .as(bearer(key.key))
    .post('/v1/webhooks', { url: receiver.url, types: ['move.created'] });
  return body;
}

async function stateOf({ id }: Json): Promise<Json> {
  return (await (await admin()).get(`/v1/webhooks/${id}`)).body;
}

async function untilDisabled(webhook: Json): Promise<void> {
  await eventually(async () => (await stateOf(webhook)).state === 'disabled', PATIENCE_MS, 'the webhook is disabled');
}

const ENDS: [string, (key: Json) => Promise<unknown>][] = [
  ['is revoked', async ({ id }) => (await admin()).delete(`/v1/keys/${id}`)],
  ['expires', ({ id }) => service.sql.query('UPDATE keys SET expires_at = now() WHERE id = $1', [id])],
  ['may no longer read what they send', (key) => withScopes(key, ['moves:write', 'webhooks:read', 'webhooks:write'])],
];

async function withScopes({ id }: Json, scopes: readonly string[]): Promise<void> {
  expect((await (await admin()).patch(`/v1/keys/${id}`, '*', { scopes })).status).toBe(200);
}

test.each(ENDS)(
  'when a key %s, its webhooks stop and say why; whoever enables one again takes it over',
  async (_, end) => {
    const [key, another] = [await createKey({ scopes: SCOPES }), await createKey({ scopes: SCOPES })];
    const [webhook, kept] = [await webhookOf(key), await webhookOf(another)];
    await withScopes(another, ['moves:read']);
    await end(key);
    await untilDisabled(webhook);
    expect(await stateOf(webhook)).toMatchObject({ enabled: false, disabledReason: 'KEY_ENDED' });
    expect(await stateOf(kept)).toMatchObject({ enabled: true, state: 'active' });

    const api = await admin();
    const missed = await createMove(api);
    await eventually(() => receiver.received.length === 1, PATIENCE_MS, 'the other webhook delivers');
    const enabled = await api.patch(`/v1/webhooks/${webhook.id}`, '*', { enabled: true });
    expect(enabled.body).toMatchObject({ enabled: true, disabledReason: null });
    await eventually(() => receiver.received.length === 2, PATIENCE_MS, 'it resumes where it stopped');
    expect(receiver.received.map(({ event }) => event.data.resourceID)).toEqual([missed.id, missed.id]);
    expect(await stateOf(webhook)).toMatchObject({ state: 'active' });
    const { body: history } = await api.get<Json[]>(`/v1/webhooks/${webhook.id}/history`);
    expect(history.map(({ type, changedBy }) => [type, changedBy])).toEqual([
      ['updated', 'admin-1'],
      ['disabled', 'webhook-delivery'],
      ['created', 'Carrier North'],
    ]);
  },
);

test('a webhook that somebody has locked does not delay the others, whether their keys have ended or not', async () => {
  const [one, two] = [await createKey({ scopes: SCOPES }), await createKey({ scopes: SCOPES })];
  const kept = await createKey({ scopes: SCOPES });
  const [locked, free] = [await webhookOf(one), await webhookOf(two)];
  await webhookOf(kept);
  const holder = await service.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM webhooks WHERE id = $1 FOR UPDATE', [locked.id]);
  for (const { id } of [one, two]) await (await admin()).delete(`/v1/keys/${id}`);
  await untilDisabled(free);
  const { id } = await createMove(await admin());
  await eventually(() => receiver.received.length > 0, PATIENCE_MS, 'the webhook of the other key delivers');
  expect(receiver.received.at(0)?.event.data.resourceID).toBe(id);
  expect(await stateOf(locked)).toMatchObject({ enabled: true });
  await holder.query('ROLLBACK');
  await holder.end();
  await untilDisabled(locked);
});

test('webhooks that people created do not depend on any key', async () => {
  const { rows } = await service.sql.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM webhook_progress WHERE creator_key_id IS NULL',
  );
  const { body: webhook } = await (await admin()).post('/v1/webhooks', { url: receiver.url, types: ['move.created'] });
  const { rows: after } = await service.sql.query(
    'SELECT count(*)::int AS count FROM webhook_progress WHERE creator_key_id IS NULL',
  );
  expect(after).toEqual([{ count: (rows[0]?.count ?? 0) + 1 }]);
  expect(await stateOf(webhook)).toMatchObject({ enabled: true });
});
