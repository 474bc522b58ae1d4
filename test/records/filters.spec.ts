import type { Json } from '../support/http/api.js';
import { createMove, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

async function idsOf(path: string): Promise<string[]> {
  const { status, body } = await service.api.get(path);
  expect(status).toBe(200);
  return body.map(({ id }: Json) => id);
}

test('shipments by several statuses, separated by commas or given one by one', async () => {
  const { id: moveID } = await createMove(service.api);
  const ids: Record<string, string> = {};
  for (const status of ['SUBMITTED', 'APPROVED', 'CANCELED']) {
    const { id, eTag } = await createShipment(service.api, { moveID });
    if (status !== 'SUBMITTED') await service.api.patch(`/prime/v1/shipments/${id}/updateStatus`, eTag, { status });
    ids[status] = id;
  }
  const path = `/v1/shipments?moveID=${moveID}`;
  for (const several of ['status=CANCELED&status=SUBMITTED', 'status=CANCELED,SUBMITTED']) {
    expect(await idsOf(`${path}&${several}`)).toEqual([ids['CANCELED'], ids['SUBMITTED']]);
  }
  const all = [ids['CANCELED'], ids['APPROVED'], ids['SUBMITTED']];
  expect(await idsOf(`${path}&status=APPROVED,CANCELED&status=SUBMITTED`)).toEqual(all);
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
    expect(await idsOf(path + moment)).toEqual([id]);
  }
  expect(await idsOf(`${path}2030-06-01T10:00:00.001Z`)).toEqual([]);
});
