import { deleted, undelete } from '../support/records/deletions.js';
import { applied, csvOf, imported, rowsOf } from '../support/records/imports.js';
import { createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

const fileWith = (id: string, eTag: string) =>
  csvOf(['id', 'eTag', 'shipmentType', 'customerRemarks'], [[id, eTag, 'HHG', 'after']]);

test('a row of a deleted shipment names the path that restores it, and applies after that', async () => {
  const { id, eTag, shipmentCode } = await createShipment(service.api);
  const path = `/v1/shipments/${id}`;
  const { deletionETag } = await deleted(service.api, path);
  for (const name of [id, shipmentCode]) {
    const rows = await rowsOf(service.api, await imported(service.api, fileWith(name, eTag)));
    expect(rows).toMatchObject([{ outcome: 'refused', resourceID: id, code: 'NOT_FOUND' }]);
    expect(rows[0].detail).toBe(`The shipment was deleted. POST ${path}/undelete restores it.`);
  }
  await undelete(service.api, path, deletionETag);
  await applied(service.api, await imported(service.api, fileWith(id, eTag)));
  expect((await service.api.get(path)).body).toMatchObject({ customerRemarks: 'after' });
});

test('so does a row whose shipment is deleted between the dry run and its application', async () => {
  const { id, eTag } = await createShipment(service.api);
  const ready = await imported(service.api, fileWith(id, eTag));
  await service.api.delete(`/v1/shipments/${id}`);
  await applied(service.api, ready);
  const [row] = await rowsOf(service.api, ready);
  expect(row).toMatchObject({ outcome: 'refused', code: 'NOT_FOUND' });
  expect(row.detail).toContain(`POST /v1/shipments/${id}/undelete`);
});
