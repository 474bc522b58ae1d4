import { expectInvalid, expectProblem } from '../support/http/problem.js';
import { CHILDREN, childrenOf, createAgent, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

const RELEASING = { agentType: 'RELEASING_AGENT', firstName: 'Ada', email: 'ada@example.com' };

test.each(CHILDREN)('200 with a JSON array of the $name records of that shipment only, newest first', async (kind) => {
  const [shipment, other] = [await createShipment(service.api), await createShipment(service.api)];
  const first = await kind.create(service.api, {}, shipment);
  const second = await kind.create(service.api, kind.full, shipment);
  expect(await service.api.get(childrenOf(shipment, kind))).toMatchObject({ status: 200, body: [second, first] });
  expect(await service.api.get(childrenOf(other, kind))).toMatchObject({ status: 200, body: [] });
});

describe('at most one of each type per shipment', () => {
  test('409 for a second one of the same type, and the first stays as it was', async () => {
    const shipment = await createShipment(service.api);
    const first = await createAgent(service.api, {}, shipment);
    const answer = await service.api.post(`/v1/shipments/${shipment.id}/agents`, { ...RELEASING, firstName: 'Eve' });
    expectProblem(answer, 409, 'DUPLICATE');
    expect((await service.api.get(`/v1/shipments/${shipment.id}/agents`)).body).toEqual([first]);
  });

  test('409 when a change would make a second one', async () => {
    const shipment = await createShipment(service.api);
    await createAgent(service.api, {}, shipment);
    const { id, eTag } = await createAgent(service.api, { agentType: 'RECEIVING_AGENT' }, shipment);
    const path = `/v1/agents/${id}`;
    expectProblem(await service.api.patch(path, eTag, { agentType: 'RELEASING_AGENT' }), 409, 'DUPLICATE');
    expectProblem(await service.api.put(path, eTag, RELEASING), 409, 'DUPLICATE');
    expect((await service.api.get(path)).body).toMatchObject({ agentType: 'RECEIVING_AGENT', eTag });
  });

  test('201 for the same type once the first is deleted', async () => {
    const shipment = await createShipment(service.api);
    const { id } = await createAgent(service.api, {}, shipment);
    await service.api.delete(`/v1/agents/${id}`);
    expect((await service.api.post(`/v1/shipments/${shipment.id}/agents`, RELEASING)).status).toBe(201);
  });
});

describe('contacts', () => {
  test('422 with neither email nor phone', async () => {
    const { id } = await createShipment(service.api);
    const answer = await service.api.post(`/v1/shipments/${id}/agents`, { ...RELEASING, email: null });
    expect(expectInvalid(answer)).toEqual(['/email REQUIRED', '/phone REQUIRED']);
  });

  test.each([{ email: 'a@b.example' }, { phone: '555-0100' }])('201 with %p alone', async (contact) => {
    const { id } = await createShipment(service.api);
    const agent = { ...RELEASING, email: null, ...contact };
    expect(await service.api.post(`/v1/shipments/${id}/agents`, agent)).toMatchObject({ status: 201, body: agent });
  });

  test('422 when a PATCH clears the last contact, 200 when it brings the other', async () => {
    const { id, eTag } = await createAgent(service.api);
    const cleared = await service.api.patch(`/v1/agents/${id}`, eTag, { email: null });
    expect(expectInvalid(cleared)).toEqual(['/email REQUIRED']);
    const swapped = await service.api.patch(`/v1/agents/${id}`, eTag, { email: null, phone: '555-0100' });
    expect(swapped).toMatchObject({ status: 200, body: { email: null, phone: '555-0100' } });
  });
});
