import type { Json } from '../support/http/api.js';
import { erased, tablesWith } from '../support/records/erasing.js';
import { applied, csvOf, imported, resultOf, rowsOf } from '../support/records/imports.js';
import { createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

const SECRET = 'Q8-Ermintrude';
const COLUMNS = ['id', 'eTag', 'customerRemarks'];

/** An import with a row for a shipment that others changed since, and one for another shipment. */
async function conflictingImport(): Promise<{ shipment: Json; other: Json; ready: Json }> {
  const shipment = await createShipment(service.api, { customerRemarks: `${SECRET} base` });
  const other = await createShipment(service.api);
  const changed = await service.api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, { customerRemarks: SECRET });
  expect(changed.status).toBe(200);
  const file = csvOf(COLUMNS, [
    [shipment.id, shipment.eTag, `${SECRET} mine`],
    [other.id, '0'.repeat(64), 'kept'],
  ]);
  return { shipment: changed.body, other, ready: await imported(service.api, file) };
}

test('a refused row keeps its place and its code, and nothing of its values', async () => {
  const { shipment, other, ready } = await conflictingImport();
  const [before] = await rowsOf(service.api, ready);
  expect(before).toMatchObject({ outcome: 'refused', code: 'PRECONDITION_FAILED' });
  await service.api.delete(`/v1/shipments/${shipment.id}`);

  expect(await erased(service, { recordID: shipment.id })).toMatchObject({ importRows: 1 });

  expect(await tablesWith(service.sql, SECRET)).toEqual([]);
  const [row, kept] = await rowsOf(service.api, ready);
  expect(row).toEqual({
    ...before,
    changes: [],
    detail: 'The values of this row were erased.',
    faults: [{ column: 'eTag', code: 'PRECONDITION_FAILED', message: 'The values of this row were erased.' }],
    erased: true,
  });
  expect(kept).toMatchObject({ resourceID: other.id, outcome: 'refused' });
  const result = await resultOf(service.url, ready);
  expect(result).toContain(other.id);
  expect(result).not.toContain(shipment.id);
});

test('a row that is still to be written is refused, and the others are written', async () => {
  const [shipment, other] = [await createShipment(service.api), await createShipment(service.api)];
  const file = csvOf(COLUMNS, [
    [shipment.id, shipment.eTag, SECRET],
    [other.id, other.eTag, 'written'],
  ]);
  const ready = await imported(service.api, file);
  expect(ready).toMatchObject({ toChange: 2 });
  expect(await erased(service, { recordID: shipment.id })).toMatchObject({ entries: 0, importRows: 1 });
  expect(await applied(service.api, ready)).toMatchObject({ changed: 1, refused: 1 });
  const [row] = await rowsOf(service.api, ready);
  expect(row).toMatchObject({ outcome: 'refused', code: 'ERASED', changes: [], erased: true });
  expect((await service.api.get(`/v1/shipments/${shipment.id}`)).body).toEqual(shipment);
  expect(await tablesWith(service.sql, SECRET)).toEqual([]);
});

test('a row that names an erased version is refused in the dry run', async () => {
  const shipment = await createShipment(service.api, { customerRemarks: SECRET });
  const changed = await service.api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, { customerRemarks: null });
  await erased(service, { recordID: shipment.id });
  const file = csvOf([...COLUMNS, 'estimatedWeight'], [[shipment.id, shipment.eTag, '', 12]]);
  const [row] = await rowsOf(service.api, await imported(service.api, file));
  expect(row).toMatchObject({ outcome: 'refused', code: 'PRECONDITION_FAILED' });
  expect(row.detail).toContain('The values of that version were erased');
  expect((await service.api.get(`/v1/shipments/${shipment.id}`)).body.eTag).toBe(changed.body.eTag);
});
