import { createHash } from 'node:crypto';
import type { Json } from '../support/http/api.js';
import { ADDRESS, createAgent, createMove, createService, createShipment, KINDS } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

function hashOf(updatedAt: string): string {
  return createHash('sha256').update(updatedAt).digest('hex');
}

describe.each(KINDS)('the eTag of a $name', (kind) => {
  const { path, full, optional } = kind;

  test('is the hex SHA-256 of updatedAt, new after every write, and in every ETag header but that of PUT', async () => {
    const created = await kind.create(service.api, full);
    const at = `${path}/${created.id}`;
    for (const method of ['GET', 'HEAD']) {
      expect((await service.api.send(method, at)).headers.get('ETag')).toBe(`"${created.eTag}"`);
    }
    const seen: Json[] = [created];
    for (const [method, body] of [
      ['PATCH', {}],
      ['PUT', full],
      ['PATCH', { [optional]: 'new' }],
      ['PUT', full],
    ] as const) {
      const answer = await service.api.send(method, at, body, { 'If-Match': seen.at(-1).eTag });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('ETag')).toBe(method === 'PUT' ? null : `"${answer.body.eTag}"`);
      seen.push(answer.body);
    }
    seen.push((await service.api.get(at)).body);
    for (const { eTag, updatedAt } of seen) expect(eTag).toBe(hashOf(updatedAt));
    expect(new Set(seen.map(({ eTag }) => eTag)).size).toBe(5);
    const moments = seen.map(({ updatedAt }) => updatedAt);
    expect(moments).toEqual([...moments].sort());
  });

  test('can be spent once', async () => {
    const { id, eTag } = await kind.create(service.api);
    const { status, body } = await service.api.patch(`${path}/${id}`, eTag, {});
    expect(status).toBe(200);
    const refused = [
      await service.api.patch(`${path}/${id}`, eTag, {}),
      await service.api.delete(`${path}/${id}`, { 'If-Match': eTag }),
    ];
    for (const each of refused) expect(each).toMatchObject({ status: 412, body: { currentETag: body.eTag } });
    expect((await service.api.delete(`${path}/${id}`, { 'If-Match': body.eTag })).status).toBe(204);
  });

  test('304 without a body on GET and HEAD that have it, 200 with another, 412 with another in If-Match', async () => {
    const { id, eTag } = await kind.create(service.api);
    for (const method of ['GET', 'HEAD']) {
      const known = await service.api.send(method, `${path}/${id}`, undefined, { 'If-None-Match': `"${eTag}"` });
      expect(known).toMatchObject({ status: 304, body: undefined });
      expect(known.headers.get('ETag')).toBe(`"${eTag}"`);
      const other = await service.api.send(method, `${path}/${id}`, undefined, { 'If-None-Match': '"other"' });
      expect(other.status).toBe(200);
    }
    expect((await service.api.get(`${path}/${id}`, { 'If-Match': '"other"' })).status).toBe(412);
  });
});

test('lists have it in every record and in no header; expanded reads and PATCHes have no header either', async () => {
  const shipment = await createShipment(service.api, { pickupAddress: ADDRESS });
  await createAgent(service.api, {}, shipment);
  await createService(service.api, {}, shipment);
  for (const list of ['moves', 'shipments', `shipments/${shipment.id}/agents`, `shipments/${shipment.id}/services`]) {
    const { body, headers } = await service.api.get<Json[]>(`/v1/${list}`);
    expect(headers.get('ETag')).toBeNull();
    expect(body.map(({ eTag }) => eTag)).toEqual(body.map(({ updatedAt }) => hashOf(updatedAt)));
    expect(body).not.toHaveLength(0);
  }
  const path = `/v1/shipments/${shipment.id}?expand=agents,services,move`;
  const expanded = await service.api.get(path, { 'If-None-Match': `"${shipment.eTag}"` });
  expect(expanded.status).toBe(200);
  const { agents, services, move } = expanded.body;
  for (const { eTag, updatedAt } of [...agents, ...services, move]) expect(eTag).toBe(hashOf(updatedAt));
  const patched = await service.api.patch(path, shipment.eTag, {});
  for (const { headers } of [expanded, patched]) expect(headers.get('ETag')).toBeNull();
});

describe('what moves the version of a shipment', () => {
  const eTagOf = async ({ id }: Json): Promise<string> => (await service.api.get(`/v1/shipments/${id}`)).body.eTag;

  test('its address and its status do', async () => {
    const shipment = await createShipment(service.api, { pickupAddress: ADDRESS });
    const path = `/v1/mto-shipment/${shipment.id}/address/${shipment.pickupAddress.id}`;
    const replaced = await service.api.put(path, shipment.eTag, ADDRESS);
    expect(replaced.headers.get('ETag')).toBeNull();
    expect(await eTagOf(shipment)).toBe(replaced.body.eTag);
    expect(replaced.body.eTag).not.toBe(shipment.eTag);
    const status = `/prime/v1/shipments/${shipment.id}/updateStatus`;
    const approved = await service.api.patch(status, replaced.body.eTag, { status: 'APPROVED' });
    expect(approved.headers.get('ETag')).toBe(`"${await eTagOf(shipment)}"`);
    expect(approved.body.pickupAddress.eTag).toBe(approved.body.eTag);
    expect(approved.body.eTag).not.toBe(replaced.body.eTag);
  });

  test('it does not move that of its move', async () => {
    const move = await createMove(service.api);
    const { id } = await createShipment(service.api, { moveID: move.id });
    await service.api.patch(`/v1/shipments/${id}`, '*', {});
    expect((await service.api.get(`/v1/moves/${move.id}`)).body).toEqual(move);
  });
});
