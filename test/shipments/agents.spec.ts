import { expectInvalid, expectProblem } from '../support/http/problem.js';
import { createAgent, createShipment, UNKNOWN_ID } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

const RELEASING = { agentType: 'RELEASING_AGENT', firstName: 'Ada', email: 'ada@example.com' };

test('200 with a JSON array of the agents of that shipment only, newest first', async () => {
  const shipment = await createShipment(service.api);
  await createAgent(service.api);
  const first = await createAgent(service.api, {}, shipment);
  const second = await createAgent(service.api, { agentType: 'RECEIVING_AGENT' }, shipment);
  const { status, body } = await service.api.get(`/v1/shipments/${shipment.id}/agents`);
  expect({ status, body }).toEqual({ status: 200, body: [second, first] });
});

test('200 with an empty array when there are none', async () => {
  const { id } = await createShipment(service.api);
  expect(await service.api.get(`/v1/shipments/${id}/agents`)).toMatchObject({ status: 200, body: [] });
});

test('201 with every field, those not sent being null', async () => {
  const { id } = await createShipment(service.api);
  const { body } = await service.api.post(`/v1/shipments/${id}/agents`, RELEASING);
  expect(body).toEqual({
    id: expect.any(String),
    shipmentID: id,
    ...RELEASING,
    lastName: null,
    phone: null,
    createdAt: expect.any(String),
    updatedAt: body.createdAt,
    eTag: expect.any(String),
  });
});

test.each(['GET', 'POST'])('404 on %s when there is no such shipment', async (method) => {
  for (const id of [UNKNOWN_ID, 'nonsense']) {
    const body = method === 'POST' ? RELEASING : undefined;
    expectProblem(await service.api.send(method, `/v1/shipments/${id}/agents`, body), 404, 'NOT_FOUND');
  }
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

describe('fields', () => {
  test.each([
    ['an agentType that is none', { agentType: 'PACKER' }, ['/agentType NOT_ALLOWED']],
    ['an agentType in lower case', { agentType: 'releasing_agent' }, ['/agentType NOT_ALLOWED']],
    ['an agentType of another type', { agentType: 1 }, ['/agentType WRONG_TYPE']],
    ['a blank firstName', { firstName: ' ' }, ['/firstName BLANK']],
    ['neither email nor phone', { email: null }, ['/email REQUIRED', '/phone REQUIRED']],
  ])('422 with %s', async (_, fields, faults) => {
    const { id } = await createShipment(service.api);
    const answer = await service.api.post(`/v1/shipments/${id}/agents`, { ...RELEASING, ...fields });
    expect(expectInvalid(answer)).toEqual(faults);
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
