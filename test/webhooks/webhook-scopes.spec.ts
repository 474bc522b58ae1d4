import type { Json } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { useSecuredService } from '../support/http/tokens.js';
import { eventually } from '../support/races/eventually.js';
import { allNumbered } from '../support/records/events.js';

const { service, as: withClaims } = useSecuredService({ WEBHOOKS: 'on' });

const as = (scope: string) => withClaims({ scope });

const WRITE = 'webhooks:read webhooks:write';
const URL_OF_PARTNER = 'https://partner.example/hook';

test.each([
  ['', null, 'shipments:read'],
  ['moves:read', ['shipment.created'], 'shipments:read'],
  ['moves:read', ['move.created', 'agent.updated'], 'shipments:read'],
  ['shipments:read', ['move.created'], 'moves:read'],
  ['moves:read', ['import.created'], 'shipments:read'],
])('with %s and webhooks:write, a webhook for %j is refused', async (scope, types, missingScope) => {
  const api = await as(`${scope} ${WRITE}`);
  const answer = await api.post('/v1/webhooks', { url: URL_OF_PARTNER, types });
  expectProblem(answer, 403, 'FORBIDDEN');
  expect(answer.body.missingScope).toBe(missingScope);
});

test('a webhook keeps the scopes of its creator, and without types gets what they may read', async () => {
  const api = await as(`moves:read moves:write shipments:write ${WRITE}`);
  const { body: webhook } = await api.post('/v1/webhooks', { url: URL_OF_PARTNER });
  expect(webhook.scopes).toEqual(['moves:read', 'webhooks:read']);
  await (await as('shipments:write')).post('/v1/shipments', { shipmentType: 'HHG' });
  await allNumbered(service.sql);
  const types = async () => {
    const { rows } = await service.sql.query<{ type: string }>(
      'SELECT type FROM webhook_deliveries WHERE webhook_id = $1',
      [webhook.id],
    );
    return rows.map(({ type }) => type);
  };
  await eventually(async () => (await types()).length > 0, 15_000, 'there is a delivery');
  expect(await types()).toEqual(['move.created']);
});

test('only who may read all that a webhook sends can change it, and nobody can widen it', async () => {
  const creator = await as(`shipments:read ${WRITE}`);
  const { body: webhook } = await creator.post('/v1/webhooks', { url: URL_OF_PARTNER, types: ['shipment.created'] });
  const path = `/v1/webhooks/${webhook.id}`;
  const url = { url: 'https://elsewhere.example/' };
  expectProblem(await (await as(`moves:read ${WRITE}`)).patch(path, webhook.eTag, url), 403, 'FORBIDDEN');
  expectProblem(await (await as(WRITE)).put(path, webhook.eTag, url), 403, 'FORBIDDEN');
  const both = await as(`moves:read shipments:read ${WRITE}`);
  const wider = await both.patch(path, webhook.eTag, { types: ['move.created'] });
  expectProblem(wider, 422, 'VALIDATION_FAILED');
  const { status, body } = await both.patch(path, webhook.eTag, { ...url, types: null });
  expect([status, body.scopes]).toEqual([200, ['shipments:read', 'webhooks:read']]);
});

test('readers without webhooks:read see that a webhook changed, but no values, and miss no number', async () => {
  const creator = await as(`moves:read moves:write shipments:read ${WRITE}`);
  const { body: before } = await creator.post('/v1/moves', {});
  const { body: webhook } = await creator.post('/v1/webhooks', { url: 'https://partner.example/?token=hidden' });
  await creator.post('/v1/moves', {});
  await allNumbered(service.sql);
  const read = async (scope: string, query = '') => {
    const { body } = await (await as(scope)).get<Json[]>(`/v1/events?limit=1000${query}`);
    return body.slice(body.findIndex(({ data }) => data.resourceID === before.id));
  };
  const bare = await read('moves:read shipments:read');
  expect(bare.map(({ type }) => type)).toEqual(['move.created', 'webhook.created', 'move.created']);
  expect(bare[1].data).toMatchObject({ resourceID: webhook.id, changes: [], truncated: true });
  expect(JSON.stringify(bare)).not.toContain('hidden');
  expect(bare.map(({ sequence }) => Number(sequence) - Number(bare[0].sequence))).toEqual([0, 1, 2]);
  const full = await read('moves:read shipments:read webhooks:read');
  expect(JSON.stringify(full)).toContain('hidden');
  expect((await read('moves:read')).map(({ type }) => type)).toEqual(['move.created', 'move.created']);
  expect(await read('moves:read shipments:read', '&resource=webhook')).toEqual([]);
});

test.each([
  ['resourceID', 'moves:read', 'shipments:read', ({ shipmentCode }: Json) => shipmentCode],
  ['moveID', 'shipments:read', 'moves:read', ({ shipmentCode }: Json) => shipmentCode.slice(0, 6)],
])(
  'a code in %s is looked up only for who may read the record, with or without %s',
  async (field, scope, missing, codeOf) => {
    const { body: shipment } = await (await as('shipments:write')).post('/v1/shipments', { shipmentType: 'HHG' });
    const [api, reader] = [await as(`${scope} ${WRITE}`), await as(`${scope} ${missing} ${WRITE}`)];
    const body = { url: URL_OF_PARTNER, types: ['webhook.updated'] };
    const { body: webhook } = await api.post('/v1/webhooks', body);
    const path = `/v1/webhooks/${webhook.id}`;
    for (const code of [codeOf(shipment), codeOf({ shipmentCode: 'AAAAAA-01' })]) {
      for (const answer of [
        await api.post('/v1/webhooks', { ...body, [field]: code }),
        await api.patch(path, '*', { [field]: code }),
        await api.put(path, '*', { ...body, [field]: code }),
      ]) {
        expect(expectProblem(answer, 403, 'FORBIDDEN').missingScope).toBe(missing);
      }
    }
    expect((await reader.patch(path, '*', { [field]: codeOf(shipment) })).status).toBe(200);
    expect((await api.patch(path, '*', { [field]: shipment.id })).status).toBe(200);
  },
);
