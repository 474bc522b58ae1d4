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

  test('is the lower-case hex SHA-256 of updatedAt, in every body', async () => {
    const created = await kind.create(service.api, full);
    const at = `${path}/${created.id}`;
    const patched = (await service.api.patch(at, created.eTag, { [optional]: 'new' })).body;
    const replaced = (await service.api.put(at, patched.eTag, full)).body;
    const read = (await service.api.get(at)).body;
    for (const body of [created, patched, replaced, read]) expect(body.eTag).toBe(hashOf(body.updatedAt));
    expect(read.eTag).toMatch(/^[0-9a-f]{64}$/);
  });

  test('is also in the ETag header of GET, HEAD, 201 and PATCH, quoted; not of PUT', async () => {
    const created = await kind.create(service.api);
    const at = `${path}/${created.id}`;
    const reads = [await service.api.get(at), await service.api.send('HEAD', at)];
    for (const { headers } of reads) expect(headers.get('ETag')).toBe(`"${created.eTag}"`);
    const patched = await service.api.patch(at, created.eTag, {});
    expect(patched.headers.get('ETag')).toBe(`"${patched.body.eTag}"`);
    const replaced = await service.api.put(at, patched.body.eTag, full);
    expect(replaced.headers.get('ETag')).toBeNull();
  });

  test('is new after every successful PATCH and PUT, also without a change', async () => {
    const { id, eTag, updatedAt } = await kind.create(service.api, full);
    const seen = [{ eTag, updatedAt }];
    for (const [method, body] of [
      ['PATCH', {}],
      ['PUT', full],
      ['PATCH', {}],
      ['PUT', full],
    ] as const) {
      const answer = await service.api.send(method, `${path}/${id}`, body, { 'If-Match': seen.at(-1)?.eTag ?? '' });
      expect(answer.status).toBe(200);
      seen.push(answer.body);
    }
    expect(new Set(seen.map((version) => version.eTag)).size).toBe(5);
    const moments = seen.map((version) => version.updatedAt);
    expect(moments).toEqual([...moments].sort());
  });

  test('can be spent once', async () => {
    const { id, eTag } = await kind.create(service.api);
    expect((await service.api.patch(`${path}/${id}`, eTag, {})).status).toBe(200);
    expect((await service.api.patch(`${path}/${id}`, eTag, {})).status).toBe(412);
    expect((await service.api.delete(`${path}/${id}`, { 'If-Match': eTag })).status).toBe(412);
  });

  test('is taken bare, quoted, in a list and as *; a 412 names the current one', async () => {
    const at = `${path}/${(await kind.create(service.api)).id}`;
    for (const write of [(e: string) => e, (e: string) => `"${e}"`, (e: string) => `"x", "${e}"`, () => '*']) {
      const { eTag } = (await service.api.get(at)).body;
      expect((await service.api.patch(at, write(eTag), {})).status).toBe(200);
    }
    const { eTag } = (await service.api.get(at)).body;
    for (const stale of [`W/"${eTag}"`, `"${eTag.toUpperCase()}"`, '"x"', ',']) {
      const refused = await service.api.patch(at, stale, {});
      expect(refused).toMatchObject({ status: 412, body: { currentETag: eTag } });
    }
  });

  test('304 without a body on GET and HEAD that have it, 200 with another', async () => {
    const { id, eTag } = await kind.create(service.api);
    for (const method of ['GET', 'HEAD']) {
      const known = await service.api.send(method, `${path}/${id}`, undefined, { 'If-None-Match': `"${eTag}"` });
      expect(known).toMatchObject({ status: 304, body: undefined });
      expect(known.headers.get('ETag')).toBe(`"${eTag}"`);
      const other = await service.api.send(method, `${path}/${id}`, undefined, { 'If-None-Match': '"other"' });
      expect(other.status).toBe(200);
    }
  });

  test('412 on GET with another one in If-Match, and on writes with this one in If-None-Match', async () => {
    const { id, eTag } = await kind.create(service.api);
    const at = `${path}/${id}`;
    const excluded = { 'If-None-Match': `"${eTag}"` };
    expect((await service.api.get(at, { 'If-Match': '"other"' })).status).toBe(412);
    expect((await service.api.get(at, { 'If-Match': `"${eTag}"` })).status).toBe(200);
    expect((await service.api.patch(at, eTag, {}, excluded)).status).toBe(412);
    expect((await service.api.put(at, eTag, full, excluded)).status).toBe(412);
    expect((await service.api.delete(at, excluded)).status).toBe(412);
    expect((await service.api.get(at)).body.eTag).toBe(eTag);
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

  test('its agents, services and move do not', async () => {
    const shipment = await createShipment(service.api);
    const agent = await createAgent(service.api, {}, shipment);
    const packing = await createService(service.api, {}, shipment);
    await service.api.patch(`/v1/agents/${agent.id}`, agent.eTag, { firstName: 'Eve' });
    await service.api.delete(`/v1/services/${packing.id}`);
    await service.api.patch(`/v1/moves/${shipment.moveID}`, '*', { remarks: 'x' });
    expect(await eTagOf(shipment)).toBe(shipment.eTag);
  });

  test('it does not move that of its move', async () => {
    const move = await createMove(service.api);
    const { id } = await createShipment(service.api, { moveID: move.id });
    await service.api.patch(`/v1/shipments/${id}`, '*', {});
    expect((await service.api.get(`/v1/moves/${move.id}`)).body).toEqual(move);
  });
});
