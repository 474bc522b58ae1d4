import type { Json } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { applied, conflictingImport, csvOf, imported, resultOf, rowsOf, upload } from '../support/records/imports.js';
import { createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

/** Conflicts of refused rows that were settled by requests for their shipments. */
const service = useService();

const settle = (id: string, line: number | string) => service.api.send('POST', `/v1/imports/${id}/settle?line=${line}`);
const now = async ({ id }: Json) => (await service.api.get(`/v1/imports/${id}`)).body;

test('a settled row is changed, and no longer refused or in the result file', async () => {
  const ready = await conflictingImport(service.api);
  const [{ resourceID }] = (await rowsOf(service.api, ready)) as [Json];
  const before = (await service.api.get(`/v1/shipments/${resourceID}`)).body.eTag;
  const { status, body } = await settle(ready.id, 2);
  expect(status).toBe(200);
  expect(body).toMatchObject({ id: ready.id, state: 'ready', rows: 1, refused: 0, changed: 1, toChange: 0 });
  expect(await now(ready)).toEqual(body);
  expect(await rowsOf(service.api, ready, '&outcome=refused')).toEqual([]);
  const [row] = await rowsOf(service.api, ready);
  expect(row).toMatchObject({ line: 2, outcome: 'changed', code: 'PRECONDITION_FAILED', resourceID });
  expect((await resultOf(service.url, ready)).trim().split('\r\n')).toHaveLength(1);
  expect((await service.api.get(`/v1/shipments/${resourceID}`)).body.eTag).toBe(before);
  const stored = await service.sql.query('SELECT sent FROM import_rows WHERE import_id = $1 AND line = 2', [ready.id]);
  expect(stored.rows).toEqual([{ sent: null }]);
});

test('it is settled once, and only where a refused row has a conflict', async () => {
  const shipment = await createShipment(service.api, { customerRemarks: 'before' });
  await service.api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, { customerRemarks: 'theirs' });
  const columns = ['id', 'eTag', 'shipmentType', 'customerRemarks'];
  const rows = [
    ['', '', 'HHG', 'to create'],
    [shipment.id, shipment.eTag, shipment.shipmentType, 'mine'],
    ['', '', '', 'refused without a conflict'],
  ];
  const ready = await imported(service.api, csvOf(columns, rows));
  for (const line of [1, 2, 4, 5, 2_147_483_647]) {
    const problem = expectProblem(await settle(ready.id, line), 400, 'INVALID_PARAMETER');
    expect(problem.errors).toMatchObject([{ pointer: '?line' }]);
  }
  for (const line of ['', '0', '-4', '4.5', 'x', '99999999999']) {
    expectProblem(await settle(ready.id, line), 400, 'INVALID_PARAMETER');
  }
  expectProblem(await service.api.send('POST', `/v1/imports/${ready.id}/settle`), 400, 'INVALID_PARAMETER');
  expect((await settle(ready.id, 3)).status).toBe(200);
  expectProblem(await settle(ready.id, 3), 400, 'INVALID_PARAMETER');
  expect(await now(ready)).toMatchObject({ refused: 1, changed: 1, toCreate: 1 });
  expect(await applied(service.api, ready)).toMatchObject({ refused: 1, changed: 1, created: 1 });
});

test('412 if the import has changed, and nothing is settled', async () => {
  const ready = await conflictingImport(service.api);
  const path = `/v1/imports/${ready.id}/settle?line=2`;
  expect((await service.api.send('POST', path, undefined, { 'If-Match': 'stale' })).status).toBe(412);
  expect(await now(ready)).toMatchObject({ refused: 1, changed: 0, eTag: ready.eTag });
  expect((await service.api.send('POST', path, undefined, { 'If-Match': ready.eTag })).status).toBe(200);
});

test('of two at once, one settles the row', async () => {
  const ready = await conflictingImport(service.api);
  const statuses = await Promise.all([settle(ready.id, 2), settle(ready.id, 2)]);
  expect(statuses.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect(await now(ready)).toMatchObject({ refused: 0, changed: 1 });
});

test.each(['Umzüge & mehr.csv', '🚚.csv', 'x'.repeat(255)])('the file name %j is listed', async (fileName) => {
  const path = `/v1/imports?fileName=${encodeURIComponent(fileName)}`;
  const { status, body } = await service.api.post(path, 'shipmentType\r\nHHG\r\n', { 'Content-Type': 'text/csv' });
  expect([status, body.fileName]).toEqual([201, fileName]);
  expect((await service.api.get('/v1/imports?limit=1')).body).toMatchObject([{ id: body.id, fileName }]);
});

test('a file may have no name, but none that is not a line of text', async () => {
  expect((await upload(service.api, 'shipmentType\r\nHHG\r\n')).body.fileName).toBeNull();
  for (const name of ['', '%20', '%0A', 'x'.repeat(256), '%00']) {
    const answer = await service.api.post(`/v1/imports?fileName=${name}`, 'shipmentType\r\nHHG\r\n', {
      'Content-Type': 'text/csv',
    });
    expectProblem(answer, 400, 'INVALID_PARAMETER');
  }
});
