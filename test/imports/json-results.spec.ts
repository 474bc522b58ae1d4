import type { Json } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { applied, csvOf, imported, JSON_LINES, resultOf, rowsOf } from '../support/records/imports.js';
import { ADDRESS, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

const read = async (id: string) => (await service.api.get(`/v1/shipments/${id}`)).body;

async function change(id: string, fields: object): Promise<Json> {
  const { status, body } = await service.api.patch(`/v1/shipments/${id}`, '*', fields);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body;
}

function upload(rows: readonly object[]): Promise<Json> {
  return imported(service.api, rows.map((row) => JSON.stringify(row)).join('\n'), JSON_LINES);
}

async function resultRows(of: Json): Promise<Json[]> {
  const lines = (await resultOf(service.url, of)).split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => JSON.parse(line));
}

/** The record without what every change changes. */
function written(record: Json): Json {
  const isVersion = (name: string) => name === 'eTag' || name === 'updatedAt';
  return JSON.parse(JSON.stringify(record, (name, value: unknown) => (isVersion(name) ? undefined : value)));
}

const FULL = {
  customerRemarks: 'before',
  pickupDate: '2026-04-01',
  estimatedWeight: 900,
  pickupAddress: ADDRESS,
  destinationAddress: ADDRESS,
};

test('the result of JSON Lines is JSON Lines, and changes nothing that its rows did not mention', async () => {
  const [conflicting, faulty] = [await createShipment(service.api, FULL), await createShipment(service.api, FULL)];
  const theirs = await change(conflicting.id, { customerRemarks: 'theirs', actualWeight: 1000 });
  const ready = await upload([
    { id: conflicting.id, eTag: conflicting.eTag, customerRemarks: 'mine' },
    { id: faulty.id, eTag: faulty.eTag, estimatedWeight: 'heavy', customerRemarks: '=mine' },
    { shipmentType: 'HHG', pickupDate: 'soon' },
  ]);
  expect(ready).toMatchObject({ format: 'jsonl', refused: 3 });
  const rows = await resultRows(ready);
  expect(rows).toEqual([
    {
      id: conflicting.id,
      eTag: theirs.eTag,
      customerRemarks: 'mine',
      error: expect.stringMatching(/^customerRemarks was changed to another value by anonymous at .* \(CONFLICT\)$/),
      changedBy: 'anonymous',
      changedAt: theirs.updatedAt,
      theirs: { customerRemarks: 'theirs' },
    },
    {
      id: faulty.id,
      eTag: faulty.eTag,
      estimatedWeight: 'heavy',
      customerRemarks: '=mine',
      error: expect.stringMatching(/^estimatedWeight must be a whole number .*\(WRONG_TYPE\)$/),
    },
    { shipmentType: 'HHG', pickupDate: 'soon', error: expect.stringMatching(/^pickupDate /) },
  ]);

  // Uploaded as it is, only the conflict is settled. The faults stay, with the same texts.
  const again = await upload(rows);
  expect(again).toMatchObject({ toChange: 1, refused: 2 });
  expect(await resultRows(again)).toEqual(rows.slice(1));
  const corrected = rows.map((row, at) => ({ ...row, ...[{}, { estimatedWeight: 950 }, { pickupDate: null }][at] }));
  expect(await applied(service.api, await upload(corrected))).toMatchObject({ created: 1, changed: 2, refused: 0 });
  expect(written(await read(conflicting.id))).toEqual({ ...written(theirs), customerRemarks: 'mine' });
  expect(written(await read(faulty.id))).toEqual({
    ...written(faulty),
    estimatedWeight: 950,
    customerRemarks: '=mine',
  });
});

test('a row of an export has the current values of what it does not change, also inside of addresses', async () => {
  const shipment = await createShipment(service.api, FULL);
  await change(shipment.id, { customerRemarks: 'theirs', destinationAddress: null });
  const theirs = await change(shipment.id, {
    pickupDate: null,
    destinationAddress: { ...ADDRESS, city: 'Theirs' },
    pickupAddress: { city: 'Also theirs' },
  });
  const edited = { ...shipment, customerRemarks: 'mine', colour: null };
  const [row] = await resultRows(await upload([edited]));
  expect(row).toMatchObject({ ...theirs, customerRemarks: 'mine', theirs: { customerRemarks: 'theirs' } });
  expect(row).not.toHaveProperty('colour');
  expect(await applied(service.api, await upload([row ?? {}]))).toMatchObject({ changed: 1 });
  expect(written(await read(shipment.id))).toEqual({ ...written(theirs), customerRemarks: 'mine' });
});

test.each([
  ['a field of it', (_: Json) => ({ city: 'Mine' })],
  ['all of it', ({ destinationAddress }: Json) => ({ ...destinationAddress, city: 'Mine' })],
])('an address of which a row names %s comes back whole', async (_, mine) => {
  const before = { ...ADDRESS, streetAddress2: 'Floor 2' };
  const shipment = await createShipment(service.api, { destinationAddress: before });
  const theirs = await change(shipment.id, {
    destinationAddress: { streetAddress1: 'Theirs 1', streetAddress2: null },
  });
  const ready = await upload([{ id: shipment.id, eTag: shipment.eTag, destinationAddress: mine(shipment) }]);
  const [row = {}] = await resultRows(ready);
  expect(row.theirs).toEqual({ destinationAddress: { streetAddress1: 'Theirs 1', streetAddress2: null } });
  expect(await applied(service.api, await upload([row]))).toMatchObject({ changed: 1, refused: 0 });
  expect(written(await read(shipment.id))).toEqual({
    ...written(theirs),
    destinationAddress: { ...written(theirs.destinationAddress), ...before, city: 'Mine' },
  });
});

test('a row whose version is unknown comes back as it was sent', async () => {
  const { id } = await createShipment(service.api, { customerRemarks: 'theirs' });
  const sent = [
    { id, customerRemarks: 'mine' },
    { id, eTag: '0'.repeat(64), pickupAddress: { city: 'x' } },
    { id: 7, colour: [{ deep: null }] },
  ];
  const ready = await upload(sent);
  expect(await resultRows(ready)).toEqual(sent.map((row) => ({ ...row, error: expect.any(String) })));
  expect(ready).toMatchObject({ refused: 3 });
});

test.each(['1e400', '-1e400', '[1e400]'])(
  'a row with the number %s, which no file could return as it was sent, is no row',
  async (number) => {
    const { id, eTag } = await createShipment(service.api, FULL);
    const file = `{"id":"${id}","eTag":"${eTag}","estimatedWeight":${number}}`;
    const refused = await service.api.post('/v1/imports', file, JSON_LINES);
    expect(expectProblem(refused, 400, 'MALFORMED_FILE')).toMatchObject({
      line: 1,
      detail: expect.stringMatching(/number/),
    });
  },
);

test('406 for the other format, and the columns of a result are no fields elsewhere', async () => {
  const lines = await upload([{ shipmentType: 'HHG', error: 1, changedBy: [], changedAt: {}, theirs: 'x' }]);
  expect(lines).toMatchObject({ toCreate: 1, refused: 0 });
  const csv = await imported(service.api, csvOf(['shipmentType'], [['HHG']]));
  for (const [of, other] of [
    [lines, 'text/csv'],
    [csv, 'application/jsonl'],
  ] as const) {
    const path = `/v1/imports/${of.id}/result`;
    expectProblem(await service.api.get(path, { Accept: other }), 406, 'NOT_ACCEPTABLE');
    const response = await fetch(service.url + path, { headers: { Accept: 'text/csv, application/jsonl' } });
    expect(response.status).toBe(200);
  }
  const [row] = await rowsOf(service.api, await upload([{ shipmentType: 'HHG', 'theirs:city': 'x' }]));
  expect(row).toMatchObject({ outcome: 'refused', faults: [{ code: 'UNKNOWN_FIELD' }] });
});
