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

test.each(EXPANSIONS.map((names) => [names.join(), names] as const))(
  '200 with exactly what expand=%s names inside, as its own path shows it, on GET, in lists and on PATCH',
  async (expand, names) => {
    const family = await createFamily();
    const { id, eTag } = family.shipment;
    const rest = names.filter((name) => name !== 'move').map((name) => [`${name}Next`, null]);
    const inside = Object.fromEntries([...names.map((name) => [name, family[name]]), ...rest]);
    const path = `/v1/shipments/${id}?expand=${expand}`;
    expect((await service.api.get(path)).body).toEqual({ ...family.shipment, ...inside });
    const list = await service.api.get(`/v1/shipments?moveID=${family.move.id}&expand=${expand}`);
    expect(list.body).toEqual([{ ...family.shipment, ...inside }]);

    const { status, body } = await service.api.patch(path, eTag, { customerRemarks: 'changed' });
    expect(status).toBe(200);
    const { updatedAt, eTag: newETag } = body;
    const changed = { customerRemarks: 'changed', updatedAt, eTag: newETag };
    expect(body).toEqual({ ...family.shipment, ...changed, ...inside });
    expect((await service.api.get(path)).body).toEqual(body);
  },
);

test('a comma may be written as %2C', async () => {
  const { shipment, agents, services } = await createFamily();
  const { body } = await service.api.get(`/v1/shipments/${shipment.id}?expand=services%2Cagents`);
  expect(body).toMatchObject({ agents, services });
});

test('shipments inside moves: 200 on GET by id and by code, on PATCH and in lists', async () => {
  const { move, shipment } = await createFamily({ orderID: 'expanded' });
  const second = await createShipment(service.api, { moveID: move.id });
  const nested = { shipments: [second, shipment], shipmentsNext: null };
  const path = `/v1/moves/${move.id}?expand=shipments`;
  expect((await service.api.get(path)).body).toEqual({ ...move, ...nested });
  expect((await service.api.get(`/v1/moves/${move.moveCode}?expand=shipments`)).body).toEqual({ ...move, ...nested });
  expect((await service.api.get('/v1/moves?orderID=expanded&expand=shipments')).body).toEqual([{ ...move, ...nested }]);
  const patched = await service.api.patch(path, move.eTag, { remarks: 'changed' });
  expect(patched).toMatchObject({ status: 200, body: { remarks: 'changed', ...nested } });
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
