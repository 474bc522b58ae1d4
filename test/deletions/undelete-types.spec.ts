import { deleted, undelete } from '../support/records/deletions.js';
import { createShipment } from '../support/records/records.js';
import { expectInvalid } from '../support/http/problem.js';
import { useService } from '../support/service/service.js';

const service = useService({ SHIPMENT_TYPES: 'HHG,PPM' });

test('a shipment comes back with a type that is no longer permitted, alone and in a bulk', async () => {
  const shipment = await createShipment(service.api);
  const path = `/v1/shipments/${shipment.id}`;
  await service.sql.query(`UPDATE shipments SET shipment_type = 'FORMER' WHERE id = $1`, [shipment.id]);
  const alone = await undelete(service.api, path, (await deleted(service.api, path)).deletionETag);
  expect(alone.body).toMatchObject({ id: shipment.id, shipmentType: 'FORMER' });
  const item = { op: 'undelete', id: shipment.id, ifMatch: (await deleted(service.api, path)).deletionETag };
  const { body } = await service.api.post('/v1/shipments/bulk', { items: [item] });
  expect(body.items[0]).toMatchObject({ status: 200, shipment: { shipmentType: 'FORMER' } });
  const created = await service.api.post('/v1/shipments', { shipmentType: 'FORMER' });
  expect(expectInvalid(created)).toEqual(['/shipmentType NOT_ALLOWED']);
});
