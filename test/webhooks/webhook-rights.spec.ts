import { randomUUID } from 'node:crypto';
import type { Api, Answer, Json } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { useSecuredService } from '../support/http/tokens.js';
import { UNKNOWN_ID } from '../support/records/records.js';
import { shareOf } from '../support/repository/sweeps.js';

/**
 * The rule of this table: an operation that changes what a webhook sends, to where, or signed by which secret needs every scope that its
 * types need before and after. `WEBHOOKS=off`, so that nothing is sent meanwhile.
 */
const { service, as: withClaims } = useSecuredService({ WEBHOOKS: 'off' });

const READ_SCOPES = ['moves:read', 'shipments:read', 'webhooks:read'] as const;
const TYPES = [null, ['move.created'], ['shipment.created', 'agent.updated'], ['webhook.updated']] as const;
type Types = readonly string[] | null;
type Scopes = readonly string[];

const SCOPE_OF: Record<string, string> = { move: 'moves:read', webhook: 'webhooks:read' };

/** What a webhook with these types needs. Without types, it sends all but events of webhooks. */
function needed(types: Types, stored: Scopes): Scopes {
  if (types === null) return stored.filter((scope) => scope !== 'webhooks:read');
  return types.map((type) => SCOPE_OF[type.split('.')[0] ?? ''] ?? 'shipments:read');
}

function subsetsOf(scopes: Scopes): Scopes[] {
  return scopes.reduce<Scopes[]>((all, scope) => [...all, ...all.map((one) => [...one, scope])], [[]]);
}

const includesAll = (scopes: Scopes, wanted: Scopes) => wanted.every((scope) => scopes.includes(scope));

/** Every webhook that a creator with these scopes can have made. */
const WEBHOOKS = subsetsOf(READ_SCOPES).flatMap((stored) =>
  TYPES.filter((types) => needed(types, stored).length > 0 && includesAll(stored, needed(types, stored))).map(
    (types) => ({ stored, types }),
  ),
);

const CALLERS = subsetsOf(READ_SCOPES);
const URL_OF_PARTNER = 'https://partner.example/hook';

let creator: Api;
const callers: { scopes: Scopes; api: Api }[] = [];
beforeAll(async () => {
  creator = await withClaims({ scope: 'moves:read shipments:read webhooks:read webhooks:write' });
  for (const scopes of CALLERS) {
    callers.push({ scopes, api: await withClaims({ scope: [...scopes, 'webhooks:write'].join(' ') }) });
  }
});
afterEach(() => service.sql.query('DELETE FROM webhooks'));

/** A webhook as its creator left it, with a delivery of each kind of event. */
async function webhookOf(stored: Scopes, types: Types): Promise<{ id: string; deliveries: Record<string, string> }> {
  const { body } = await creator.post('/v1/webhooks', { url: URL_OF_PARTNER, types });
  const id = body.id as string;
  await service.sql.query('UPDATE webhooks SET scopes = $2 WHERE id = $1', [id, stored]);
  const [ofMove, ofShipment] = [await deliveryOf(id, 'move.created'), await deliveryOf(id, 'shipment.created')];
  return { id, deliveries: { 'move.created': ofMove, 'shipment.created': ofShipment } };
}

async function deliveryOf(webhook: string, type: string): Promise<string> {
  const { rows } = await service.sql.query<{ id: string }>(
    `INSERT INTO webhook_deliveries (webhook_id, type, record_id, state, is_next) VALUES ($1, $2, $3, 'delivered', true) RETURNING id`,
    [webhook, type, randomUUID()],
  );
  const id = rows[0]?.id ?? '';
  await service.sql.query(
    `INSERT INTO webhook_attempts (delivery_id, attempted_at, status, duration_ms, answer) VALUES ($1, now(), 200, 5, $2)`,
    [id, `answer to ${type}`],
  );
  return id;
}

async function stateOf(webhook: string): Promise<Json> {
  const { rows } = await service.sql.query(
    `SELECT to_jsonb(w) AS webhook, (SELECT json_agg(secret ORDER BY secret) FROM webhook_secrets WHERE webhook_id = w.id) AS secrets,
       (SELECT json_agg(d ORDER BY d.id) FROM webhook_deliveries d WHERE webhook_id = w.id) AS deliveries
     FROM webhooks w WHERE id = $1`,
    [webhook],
  );
  return rows[0];
}

interface Operation {
  readonly name: string;
  /** The types after it; undefined for the present ones. */
  readonly after?: Types;
  /** What it needs beyond the types of the webhook. */
  readonly also?: Scopes;
  send(api: Api, path: string, deliveries: Record<string, string>): Promise<Answer<Json>>;
}

const ANY = { 'If-Match': '*' };

/** All but the last, which removes the webhook. */
const OPERATIONS: readonly Operation[] = [
  { name: 'rotateSecret', send: (api, path) => api.send('POST', `${path}/rotateSecret`) },
  { name: 'replay', send: (api, path) => api.post(`${path}/replay`, {}) },
  ...Object.entries({ 'move.created': 'moves:read', 'shipment.created': 'shipments:read' }).map(
    ([type, scope]): Operation => ({
      name: `redeliver a ${type}`,
      also: [scope],
      send: (api, path, deliveries) => api.send('POST', `${path}/deliveries/${deliveries[type]}/redeliver`),
    }),
  ),
  { name: 'PATCH url', send: (api, path) => api.send('PATCH', path, { url: 'https://elsewhere.example/' }, ANY) },
  { name: 'PATCH moveID', send: (api, path) => api.send('PATCH', path, { moveID: UNKNOWN_ID }, ANY) },
  ...TYPES.flatMap((types): Operation[] => [
    {
      name: `PATCH types ${String(types)}`,
      after: types,
      send: (api, path) => api.send('PATCH', path, { types }, ANY),
    },
    {
      name: `PUT types ${String(types)}`,
      after: types,
      send: (api, path) => api.send('PUT', path, { url: URL_OF_PARTNER, ...(types && { types }) }, ANY),
    },
  ]),
  { name: 'DELETE', send: (api, path) => api.delete(path) },
];

const TABLE = WEBHOOKS.map((webhook, index) => ({ ...webhook, operations: shareOf(OPERATIONS, index, 4) }));

describe.each(TABLE)('a webhook with types $types of a creator with $stored', ({ stored, types, operations }) => {
  test.each(operations)('$name needs the scopes of what is sent before and after', async (operation) => {
    const { after, also = [], send } = operation;
    const scopes = new Set([...needed(types, stored), ...(after === undefined ? [] : needed(after, stored)), ...also]);
    const isWider =
      after !== undefined && (needed(after, stored).length === 0 || !includesAll(stored, needed(after, stored)));
    let webhook = await webhookOf(stored, types);
    for (const caller of callers) {
      const before = await stateOf(webhook.id);
      const answer = await send(caller.api, `/v1/webhooks/${webhook.id}`, webhook.deliveries);
      const missing = [...scopes].filter((scope) => !caller.scopes.includes(scope));
      if (missing.length === 0 && !isWider) {
        expect({ scopes: caller.scopes, isDone: answer.status < 300 }).toEqual({ scopes: caller.scopes, isDone: true });
        webhook = await webhookOf(stored, types);
        continue;
      }
      if (missing.length === 0) expectProblem(answer, 422, 'VALIDATION_FAILED');
      else if (!caller.scopes.includes('webhooks:read')) expectProblem(answer, 404, 'NOT_FOUND');
      else expect(missing).toContain(expectProblem(answer, 403, 'FORBIDDEN').missingScope);
      expect(await stateOf(webhook.id)).toEqual(before);
    }
  });
});

test('a new webhook needs the scopes of its types, and one of those for records without types', async () => {
  for (const { scopes, api } of callers) {
    for (const types of TYPES) {
      const answer = await api.post('/v1/webhooks', { url: URL_OF_PARTNER, types });
      const readable = needed(null, scopes);
      const isAllowed = types === null ? readable.length > 0 : includesAll(scopes, needed(types, scopes));
      expect([scopes, types, answer.status]).toEqual([scopes, types, isAllowed ? 201 : 403]);
    }
  }
});

test('who lacks a scope gets no answer that depends on the version or the fields', async () => {
  const { id } = await webhookOf(['moves:read'], ['move.created']);
  const path = `/v1/webhooks/${id}`;
  const [reader, writer] = await Promise.all([
    withClaims({ scope: 'shipments:read webhooks:read webhooks:write' }),
    withClaims({ scope: 'webhooks:write' }),
  ]);
  for (const [api, status] of [
    [reader, 403],
    [writer, 404],
  ] as const) {
    for (const headers of [{}, { 'If-Match': 'stale' }, { 'If-Match': '"' }]) {
      expect((await api.send('PATCH', path, { url: 17 }, headers)).status).toBe(status);
    }
    expect((await api.send('DELETE', path, undefined, { 'If-Match': 'stale' })).status).toBe(status);
  }
  const unknown = await writer.send('POST', `/v1/webhooks/${UNKNOWN_ID}/rotateSecret`);
  const hidden = await writer.send('POST', `${path}/rotateSecret`);
  const { requestID: _, instance: __, detail: ___, ...rest } = hidden.body;
  expect(unknown.body).toMatchObject(rest);
  expect(hidden.body.detail).toBe(unknown.body.detail.replace(UNKNOWN_ID, id));
});

test('a stored response is not repeated to a caller who has lost the scopes of the webhook', async () => {
  const { id } = await webhookOf(['moves:read'], ['move.created']);
  const path = `/v1/webhooks/${id}/rotateSecret`;
  const key = { 'Idempotency-Key': randomUUID() };
  const before = await withClaims({ subject: 'changing', scope: 'moves:read webhooks:read webhooks:write' });
  const { body } = await before.send('POST', path, undefined, key);
  expect((await before.send('POST', path, undefined, key)).body).toEqual(body);
  const after = await withClaims({ subject: 'changing', scope: 'webhooks:read webhooks:write' });
  expectProblem(await after.send('POST', path, undefined, key), 403, 'FORBIDDEN');
});
