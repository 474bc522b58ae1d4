import type { Answer, Api, Json } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { useSecuredService } from '../support/http/tokens.js';
import { undelete } from '../support/records/deletions.js';
import { createAgent, createService, createShipment } from '../support/records/records.js';

/** Who sees which deletions, and what the filters of the list find. */
const { service, as } = useSecuredService({ JWT_NAME_CLAIM: 'name' });

const ALL = 'moves:read moves:write shipments:read shipments:write';
const ANN = { subject: 'ann-1', claims: { name: 'Ann Porter' } };

interface Deleted {
  readonly move: Json;
  readonly shipment: Json;
  readonly agent: Json;
  readonly single: Json;
}

let ann: Api;
let other: Deleted;
let known: Deleted;

/** A move, its shipment with an agent, and a service that was deleted on its own before. */
async function deletedMove(api: Api): Promise<Deleted> {
  const shipment = await createShipment(api);
  const { body: move } = await api.get(`/v1/moves/${shipment.moveID}`);
  const agent = await createAgent(api, {}, shipment);
  const single = await createService(api, {}, shipment);
  for (const path of [`services/${single.id}`, `shipments/${shipment.id}`, `moves/${move.id}`]) {
    expect((await api.delete(`/v1/${path}`)).status).toBe(204);
  }
  return { move, shipment, agent, single };
}

beforeAll(async () => {
  ann = await as({ scope: ALL, ...ANN });
  other = await deletedMove(await as({ scope: ALL, subject: 'bob-2' }));
  known = await deletedMove(ann);
});

const found = async (api: Api, query: string) => {
  const { status, body } = await api.get<Json[]>(`/v1/deletions?${query}`);
  expect(status).toBe(200);
  return body.map(({ resource, resourceID }) => [resource, resourceID]);
};

describe('the scopes of the caller', () => {
  const ofMoves = () => [known, other].map(({ move }) => ['move', move.id]);
  const ofShipments = () =>
    [known, other].flatMap(({ agent, shipment, single }) => [
      ['agent', agent.id],
      ['shipment', shipment.id],
      ['service', single.id],
    ]);

  test.each([
    ['moves:read', () => ofMoves()],
    ['shipments:read', () => ofShipments()],
    ['moves:read shipments:read', () => [...ofMoves(), ...ofShipments()]],
  ])('%s', async (scope, expected) => {
    const api = await as({ scope });
    expect((await found(api, 'limit=200')).sort()).toEqual(expected().sort());
  });

  test.each(['moves:write shipments:write', 'webhooks:read'])('%s: 403', async (scope) => {
    expectProblem(await (await as({ scope })).get('/v1/deletions'), 403, 'FORBIDDEN');
  });

  test('no filter finds what the caller may not read', async () => {
    const [moves, shipments] = [await as({ scope: 'moves:read' }), await as({ scope: 'shipments:read' })];
    const { move, shipment, agent } = known;
    const queries = [`resourceID=${agent.id}`, `code=${shipment.shipmentCode}`, 'resource=shipment,agent,service'];
    for (const query of queries) expect(await found(moves, query)).toEqual([]);
    for (const query of [`resourceID=${move.id}`, `code=${move.moveCode}`, 'resource=move']) {
      expect(await found(shipments, query)).toEqual([]);
    }
    expect(await found(moves, `moveID=${move.moveCode}`)).toEqual([['move', move.id]]);
  });

  test('a caller restores only what it may delete', async () => {
    const reader = await as({ scope: 'moves:read shipments:read moves:write' });
    const [{ deletionETag }] = (await reader.get<[Json]>(`/v1/deletions?resourceID=${known.shipment.id}`)).body;
    expectProblem(await undelete(reader, `/v1/shipments/${known.shipment.id}`, deletionETag), 403, 'FORBIDDEN');
  });
});

describe('the filters', () => {
  test.each<[string, () => string, () => (readonly [string, Json])[]]>([
    ['moveID', () => `moveID=${known.move.id}`, () => ordered(known)],
    ['a moveCode', () => `moveID=${known.move.moveCode}`, () => ordered(known)],
    ['an unknown moveCode', () => 'moveID=AAAAAA', () => []],
    ['the code of a move', () => `code=${known.move.moveCode}`, () => [['move', known.move]]],
    ['the code of a shipment', () => `code=${known.shipment.shipmentCode}`, () => [['shipment', known.shipment]]],
    ['a name', () => 'deletedBy=Ann%20Porter', () => ordered(known)],
    ['a subject', () => 'deletedBy=ann-1', () => ordered(known)],
    ['somebody else', () => 'deletedBy=ann', () => []],
    [
      'kinds',
      () => 'resource=agent,move&deletedBy=ann-1',
      () => ordered(known).filter(([kind]) => ['agent', 'move'].includes(kind)),
    ],
    [
      'all at once',
      () =>
        [
          `moveID=${other.move.id}&resourceID=${other.shipment.id}&code=${other.shipment.shipmentCode}`,
          'resource=shipment&deletedBy=bob-2',
        ].join('&'),
      () => [['shipment', other.shipment]],
    ],
    ['contradictions', () => `moveID=${other.move.id}&resourceID=${known.shipment.id}`, () => []],
  ])('%s', async (_, query, expected) => {
    expect(await found(ann, query())).toEqual(expected().map(([kind, { id }]) => [kind, id]));
  });

  test('deletedSince includes the deletion at that time', async () => {
    const { body } = await ann.get<Json[]>('/v1/deletions');
    const { deletedAt } = body[2] ?? {};
    const since = body.filter((each) => each.deletedAt >= deletedAt);
    expect(await found(ann, `deletedSince=${deletedAt}`)).toEqual(
      since.map((each) => [each.resource, each.resourceID]),
    );
  });
});

/** Newest first. The agent was deleted after its shipment. */
function ordered({ move, shipment, agent, single }: Deleted): (readonly [string, Json])[] {
  return [
    ['move', move],
    ['agent', agent],
    ['shipment', shipment],
    ['service', single],
  ];
}

test('pages of one contain every deletion once', async () => {
  const { body: all } = await ann.get<Json[]>('/v1/deletions?resource=move,shipment,agent');
  const walked: Json[] = [];
  for (let next: string | undefined = '/v1/deletions?resource=move,shipment,agent&limit=1'; next !== undefined;) {
    const { body, headers }: Answer<Json[]> = await ann.get(next);
    walked.push(...body);
    next = /<([^>]*)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1];
  }
  expect(walked).toEqual(all);
});

test('a page that examines as many deletions as allowed continues, even if it is empty', async () => {
  await service.sql.query(
    `INSERT INTO deletions (record_id, record_kind, root_id, position, transaction_id, is_cascade, deleted_by, deleted_at)
     SELECT gen_random_uuid(), 'agent', gen_random_uuid(), 1000000 + n, '3', false, 'somebody', now() + n * interval '1 ms'
     FROM generate_series(1, 10000) n`,
  );
  const { body, headers } = await ann.get<Json[]>('/v1/deletions?resource=move&limit=5');
  expect(body).toEqual([]);
  const next = /<([^>]*)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1] ?? '';
  const { body: rest } = await ann.get<Json[]>(next);
  expect(rest.map(({ resourceID }) => resourceID)).toEqual([known.move.id, other.move.id]);
});

test('the numbers of shipments continue after their move was restored', async () => {
  const { deletionETag } = (await ann.get<[Json]>(`/v1/deletions?resourceID=${known.move.id}`)).body[0];
  expect((await undelete(ann, `/v1/moves/${known.move.id}`, deletionETag)).status).toBe(200);
  const { shipmentCode } = await createShipment(ann, { moveID: known.move.id });
  expect(shipmentCode).toBe(`${known.move.moveCode}-02`);
});
