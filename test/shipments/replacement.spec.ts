import { expectInvalid, expectProblem } from '../support/http/problem.js';
import { createShipment, KINDS } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

describe.each(KINDS)('PUT of a $name', (kind) => {
  const { path, full, optional } = kind;

  test('200 for what GET answered, edited: the server’s own fields may be echoed', async () => {
    const { id } = await kind.create(service.api, full);
    const { body } = await service.api.get(`${path}/${id}`);
    const edited = await service.api.put(`${path}/${id}`, body.eTag, { ...body, [optional]: 'edited' });
    expect(edited).toMatchObject({ status: 200, body: { ...full, id, [optional]: 'edited' } });
  });

  test('200 with null for every optional field that is absent', async () => {
    const before = await kind.create(service.api, full);
    const kept = [...kind.required, ...(kind.name === 'agent' ? ['email'] : [])];
    const body = Object.fromEntries(kept.map((name) => [name, full[name]]));
    const replaced = await service.api.put(`${path}/${before.id}`, before.eTag, body);
    const nulls = Object.keys(full).filter((name) => !kept.includes(name));
    expect(nulls).not.toHaveLength(0);
    expect(replaced.status).toBe(200);
    expect(replaced.body).toMatchObject({ ...body, ...Object.fromEntries(nulls.map((name) => [name, null])) });
    expect((await service.api.get(`${path}/${before.id}`)).body).toEqual(replaced.body);
  });

  test('200 for the same request again, with the same result', async () => {
    const { id, eTag } = await kind.create(service.api);
    const first = await service.api.put(`${path}/${id}`, eTag, full);
    const second = await service.api.put(`${path}/${id}`, first.body.eTag, full);
    expect(second).toMatchObject({ status: 200, body: { ...full, id, createdAt: first.body.createdAt } });
  });

  test.each(kind.readOnly.map((field) => [field]))('422 when %s has another value than the server’s', async (field) => {
    const before = await kind.create(service.api, full);
    for (const method of ['PUT', 'PATCH']) {
      const body = { ...full, [field]: 'another' };
      const answer = await service.api.send(method, `${path}/${before.id}`, body, { 'If-Match': before.eTag });
      expect(expectInvalid(answer)).toEqual([`/${field} READ_ONLY`]);
    }
    expect((await service.api.get(`${path}/${before.id}`)).body).toEqual(before);
  });

  test('428 without If-Match and 412 with another eTag, and nothing changes', async () => {
    const before = await kind.create(service.api);
    const at = `${path}/${before.id}`;
    expectProblem(await service.api.put(at, undefined, full), 428, 'PRECONDITION_REQUIRED');
    expectProblem(await service.api.put(at, '0'.repeat(64), full), 412, 'PRECONDITION_FAILED');
    expect((await service.api.get(at)).body).toEqual(before);
  });
});

test('a shipment stays in its move: moveID may be echoed, not changed', async () => {
  const { id, eTag, moveID } = await createShipment(service.api);
  const other = await createShipment(service.api);
  const path = `/v1/shipments/${id}`;
  const moved = await service.api.put(path, eTag, { shipmentType: 'HHG', moveID: other.moveID });
  expect(expectInvalid(moved)).toEqual(['/moveID READ_ONLY']);
  const echoed = await service.api.put(path, eTag, { shipmentType: 'HHG', moveID });
  expect(echoed).toMatchObject({ status: 200, body: { moveID } });
});

test('a status and its reason survive a replacement', async () => {
  const { id, eTag } = await createShipment(service.api);
  const rejection = { status: 'REJECTED', rejectionReason: 'too heavy' };
  const rejected = await service.api.patch(`/prime/v1/shipments/${id}/updateStatus`, eTag, rejection);
  const replaced = await service.api.put(`/v1/shipments/${id}`, rejected.body.eTag, { shipmentType: 'NTS' });
  expect(replaced).toMatchObject({ status: 200, body: { shipmentType: 'NTS', ...rejection } });
});

test('addresses that are echoed keep their ids, and one that is absent is removed', async () => {
  const { full } = KINDS.find(({ name }) => name === 'shipment') ?? {};
  const { id, eTag, pickupAddress } = await createShipment(service.api, full);
  const body = { shipmentType: 'HHG', pickupAddress };
  const replaced = await service.api.put(`/v1/shipments/${id}`, eTag, body);
  expect(replaced.body.pickupAddress).toEqual({ ...pickupAddress, eTag: replaced.body.eTag });
  expect(replaced.body.destinationAddress).toBeNull();
});
