import type { Json } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { countQueries } from '../support/database/queries.js';
import { createAgent, createMove, createService, createShipment } from '../support/records/records.js';
import { insertFamilies } from '../support/database/rows.js';
import { useService } from '../support/service/service.js';

const service = useService();

interface Family {
  move: Json;
  shipment: Json;
  agents: Json[];
  services: Json[];
}

async function createFamily(moveFields: object = {}): Promise<Family> {
  const move = await createMove(service.api, moveFields);
  const shipment = await createShipment(service.api, { moveID: move.id });
  const agents = [
    await createAgent(service.api, {}, shipment),
    await createAgent(service.api, { agentType: 'RECEIVING_AGENT' }, shipment),
  ];
  const services = [await createService(service.api, {}, shipment), await createService(service.api, {}, shipment)];
  return { move, shipment, agents: agents.reverse(), services: services.reverse() };
}

const EXPANSIONS: (readonly (keyof Family)[])[] = [
  ['services'],
  ['agents'],
  ['move'],
  ['services', 'agents'],
  ['move', 'services', 'agents'],
];

describe.each(EXPANSIONS.map((names) => [names.join(), names] as const))('expand=%s', (expand, names) => {
  const expansions = (family: Family): Json => {
    const inside = names.map((name) => [name, family[name]]);
    const rest = names.filter((name) => name !== 'move').map((name) => [`${name}Next`, null]);
    return Object.fromEntries([...inside, ...rest]);
  };

  test('200 on GET with exactly these inside, as their own paths show them', async () => {
    const family = await createFamily();
    const { body } = await service.api.get(`/v1/shipments/${family.shipment.id}?expand=${expand}`);
    expect(body).toEqual({ ...family.shipment, ...expansions(family) });
  });

  test('200 on PATCH with the updated shipment and exactly these inside', async () => {
    const family = await createFamily();
    const { id, eTag } = family.shipment;
    const path = `/v1/shipments/${id}?expand=${expand}`;
    const { status, body } = await service.api.patch(path, eTag, { customerRemarks: 'changed' });
    expect(status).toBe(200);
    const { updatedAt, eTag: newETag } = body;
    expect(body).toEqual({
      ...family.shipment,
      customerRemarks: 'changed',
      updatedAt,
      eTag: newETag,
      ...expansions(family),
    });
    expect((await service.api.get(path)).body).toEqual(body);
  });

  test('200 on lists with exactly these inside each', async () => {
    const family = await createFamily();
    const { body } = await service.api.get(`/v1/shipments?moveID=${family.move.id}&expand=${expand}`);
    expect(body).toEqual([{ ...family.shipment, ...expansions(family) }]);
  });
});

test('nothing is inside without expand', async () => {
  const { shipment } = await createFamily();
  const { body } = await service.api.get(`/v1/shipments/${shipment.id}`);
  for (const name of ['services', 'agents', 'move']) expect(body).not.toHaveProperty(name);
});

test('what there is none of is an empty array', async () => {
  const { id } = await createShipment(service.api);
  const { body } = await service.api.get(`/v1/shipments/${id}?expand=services,agents`);
  expect(body).toMatchObject({ services: [], agents: [] });
});

test('a comma may be written as %2C', async () => {
  const { shipment, agents, services } = await createFamily();
  const { body } = await service.api.get(`/v1/shipments/${shipment.id}?expand=services%2Cagents`);
  expect(body).toMatchObject({ agents, services });
});

describe('shipments inside moves', () => {
  test('200 on GET by id and by code, on PATCH and in lists', async () => {
    const { move, shipment } = await createFamily({ orderID: 'expanded' });
    const second = await createShipment(service.api, { moveID: move.id });
    const nested = { shipments: [second, shipment], shipmentsNext: null };
    const path = `/v1/moves/${move.id}?expand=shipments`;
    expect((await service.api.get(path)).body).toEqual({ ...move, ...nested });
    expect((await service.api.get(`/v1/moves/${move.moveCode}?expand=shipments`)).body).toEqual({ ...move, ...nested });
    expect((await service.api.get('/v1/moves?orderID=expanded&expand=shipments')).body).toEqual([
      { ...move, ...nested },
    ]);
    const patched = await service.api.patch(path, move.eTag, { remarks: 'changed' });
    expect(patched).toMatchObject({ status: 200, body: { remarks: 'changed', ...nested } });
  });
});

test.each(['agents/x', 'everything', 'services,', ''])('400 for expand=%s', async (expand) => {
  const { id } = await createShipment(service.api);
  const path = `/v1/shipments/${id}?expand=${expand}`;
  expectProblem(await service.api.get(path), 400, 'INVALID_PARAMETER');
});

test('400 for a bad expand on PATCH, and nothing changes', async () => {
  const shipment = await createShipment(service.api);
  const path = `/v1/shipments/${shipment.id}`;
  const answer = await service.api.patch(`${path}?expand=nothing`, shipment.eTag, { customerRemarks: 'x' });
  expectProblem(answer, 400, 'INVALID_PARAMETER');
  expect((await service.api.get(path)).body).toEqual(shipment);
});

describe('a list takes as many queries for 50 records as for one', () => {
  beforeAll(() => insertFamilies(service.sql, 50, 'counted'));

  test.each([1, 50])('one for %i shipments with services, agents and move', async (limit) => {
    const path = `/v1/shipments?shipmentType=counted&expand=services,agents,move&limit=${limit}`;
    const queries = await countQueries(async () => {
      const { body } = await service.api.get<Json[]>(path);
      expect(body).toHaveLength(limit);
      for (const { services, agents, move } of body) {
        expect([services.length, agents.length, move.orderID]).toEqual([1, 1, 'counted']);
      }
    });
    expect(queries).toBe(1);
  });

  test.each([1, 50])('one for %i moves with shipments', async (limit) => {
    const queries = await countQueries(async () => {
      const { body } = await service.api.get<Json[]>(`/v1/moves?orderID=counted&expand=shipments&limit=${limit}`);
      expect(body.map(({ shipments }) => shipments.length)).toEqual(Array.from({ length: limit }, () => 1));
    });
    expect(queries).toBe(1);
  });
});
