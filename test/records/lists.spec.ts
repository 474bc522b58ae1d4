import type { Json } from '../support/http/api.js';
import { nextOf, walk } from '../support/http/paging.js';
import { createMove, createService, createShipment } from '../support/records/records.js';
import { insertFamilies } from '../support/database/rows.js';
import { useService } from '../support/service/service.js';

const service = useService();

const ids = (records: Json[]): string[] => records.map(({ id }) => id);

async function createSequence(count: number, orderID: string): Promise<Json[]> {
  const created: Json[] = [];
  for (let i = 0; i < count; i++) created.push(await createMove(service.api, { orderID }));
  return created;
}

describe('a page', () => {
  test('is a JSON array of whole records, newest first', async () => {
    const moves = await createSequence(3, 'order');
    const { status, body, headers } = await service.api.get('/v1/moves?orderID=order');
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual(moves.reverse());
  });

  test('has 50 records when no limit is given, at most 200 when it is', async () => {
    await insertFamilies(service.sql, 201, 'many');
    expect((await service.api.get('/v1/moves?orderID=many')).body).toHaveLength(50);
    expect((await service.api.get('/v1/moves?orderID=many&limit=1')).body).toHaveLength(1);
    expect((await service.api.get('/v1/moves?orderID=many&limit=200')).body).toHaveLength(200);
  });

  test('is empty when nothing is there', async () => {
    const { status, body, headers } = await service.api.get('/v1/moves?orderID=nobody');
    expect({ status, body }).toEqual({ status: 200, body: [] });
    expect(headers.get('Link')).toBeNull();
  });
});

describe('a walk along the links', () => {
  test('has neither doubles nor holes while records are inserted, changed and deleted', async () => {
    const moves = await createSequence(12, 'busy');
    const [oldest] = moves as [Json];
    const pages = await walk(service.api, '/v1/moves?orderID=busy&limit=4', async () => {
      await createMove(service.api, { orderID: 'busy' });
      const { eTag } = (await service.api.get(`/v1/moves/${oldest.id}`)).body;
      await service.api.patch(`/v1/moves/${oldest.id}`, eTag, { remarks: 'changed' });
    });
    expect(ids(pages.flat())).toEqual(ids(moves.reverse()));
  });

  test('resumes in the right place when the record of the cursor is deleted', async () => {
    const moves = (await createSequence(4, 'holes')).reverse();
    const first = await service.api.get('/v1/moves?orderID=holes&limit=2');
    await service.api.delete(`/v1/moves/${moves[1].id}`);
    const second = await service.api.get(nextOf(first.headers) ?? '');
    expect(ids(second.body)).toEqual(ids(moves.slice(2)));
  });

  test('keeps every filter, expansion and limit in its links', async () => {
    const { moveID } = await createShipment(service.api, { shipmentType: 'a&b=c d' });
    for (let i = 0; i < 2; i++) await createShipment(service.api, { shipmentType: 'a&b=c d', moveID });
    const query = `moveID=${moveID}&status=SUBMITTED&status=APPROVED&shipmentType=a%26b%3Dc%20d&expand=agents,services&limit=1`;
    const { headers } = await service.api.get(`/v1/shipments?${query}`);
    const [path, next] = (nextOf(headers) ?? '').split('?');
    expect(path).toBe('/v1/shipments');
    const parameters = [...new URLSearchParams(next)].filter(([name]) => name !== 'cursor');
    expect(parameters).toEqual([...new URLSearchParams(query)]);
    const pages = await walk(service.api, `/v1/shipments?${query}`);
    expect(pages.map((page) => page.length)).toEqual([1, 1, 1]);
  });

  test('also works for what belongs to a shipment', async () => {
    const shipment = await createShipment(service.api);
    const services: Json[] = [];
    for (let i = 0; i < 5; i++) services.push(await createService(service.api, {}, shipment));
    const pages = await walk(service.api, `/v1/shipments/${shipment.id}/services?limit=2`);
    expect(pages.flat()).toEqual(services.reverse());
  });
});

test('no Link when the last page is full', async () => {
  await createSequence(2, 'two');
  expect((await service.api.get('/v1/moves?orderID=two&limit=2')).headers.get('Link')).toBeNull();
});

test.each([
  ['moves', createMove],
  ['shipments', createShipment],
])('%s by updatedSince: any offset and precision of RFC 3339 names the same moment', async (name, create) => {
  const path = `/v1/${name}?updatedSince=`;
  const { id } = await create(service.api);
  await service.sql.query('SET session_replication_role = replica');
  await service.sql.query(`UPDATE ${name} SET updated_at = '2030-06-01T10:00:00Z' WHERE id = $1`, [id]);
  await service.sql.query('SET session_replication_role = DEFAULT');
  for (const moment of ['2030-06-01T10:00:00Z', '2030-06-01T12:00:00%2B02:00', '2030-06-01T05:00:00.000000-05:00']) {
    expect(ids((await service.api.get(path + moment)).body)).toEqual([id]);
  }
  expect((await service.api.get(`${path}2030-06-01T10:00:00.001Z`)).body).toEqual([]);
});
