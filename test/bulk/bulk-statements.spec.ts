import type { Json } from '../support/http/api.js';
import { queriesDuring } from '../support/database/queries.js';
import { ADDRESS, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

/** The statements of a bulk: updates of the same fields are one statement, whatever their values are. */
const service = useService();

interface Update {
  readonly shipment: Json;
  readonly patch: Json;
}

async function updates(patches: readonly Json[]): Promise<Update[]> {
  const made: Update[] = [];
  for (const patch of patches) made.push({ shipment: await createShipment(service.api), patch });
  return made;
}

/** The shipments afterwards, and how often each kind of statement was sent. */
async function bulk(sent: readonly Update[]): Promise<{ shipments: Json[]; statements: Record<string, number> }> {
  const items = sent.map(({ shipment: { id, eTag }, patch }) => ({ op: 'update', id, ifMatch: eTag, patch }));
  let shipments: Json[] = [];
  const queries = await queriesDuring(async () => {
    const { status, body } = await service.api.post('/v1/shipments/bulk', { items });
    expect(status).toBe(200);
    shipments = body.items.map(({ shipment }: Json) => shipment);
  });
  const statements: Record<string, number> = {};
  for (const { text } of queries) {
    const [kind = ''] = /\w+/.exec(text) ?? [];
    statements[kind] = (statements[kind] ?? 0) + 1;
  }
  return { shipments, statements };
}

test('updates of the same fields are one statement, those of other fields are others', async () => {
  const sent = await updates([
    { actualWeight: 1 },
    { customerRemarks: 'a' },
    { actualWeight: 2 },
    {},
    { actualWeight: 3 },
    {},
  ]);
  const { shipments, statements } = await bulk(sent);
  expect(statements).toEqual({ BEGIN: 1, SELECT: 2, UPDATE: 3, COMMIT: 1 });
  expect(shipments.map(({ id, actualWeight }) => [id, actualWeight])).toEqual(
    sent.map(({ shipment, patch }) => [shipment.id, patch.actualWeight ?? null]),
  );
  const renewed = shipments.filter(({ eTag }, index) => eTag !== sent[index]?.shipment.eTag);
  expect(renewed).toHaveLength(sent.length);
});

test('every value arrives as it was sent', async () => {
  const texts = ['', 'NULL', 'null', '{}', '{a,b}', '"', '\\', '\\"', "'", ',', ' ', '\n\t\r', '\\N', '()', '😀é', '‮'];
  const sent = await updates([
    ...texts.map((customerRemarks) => ({ customerRemarks, pickupDate: '2026-02-28', destinationAddress: ADDRESS })),
    { customerRemarks: null, pickupDate: null, destinationAddress: null },
    { customerRemarks: 'x', pickupDate: '1900-01-01', destinationAddress: { ...ADDRESS, streetAddress2: '{"a\\' } },
  ]);
  const { shipments, statements } = await bulk(sent);
  expect(statements['UPDATE']).toBe(1);
  expect(shipments).toMatchObject(sent.map(({ patch }) => patch));
  for (const shipment of shipments) {
    expect((await service.api.get(`/v1/shipments/${shipment.id}`)).body).toEqual(shipment);
  }
});
