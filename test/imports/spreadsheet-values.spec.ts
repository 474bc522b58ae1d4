import type { Json } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { applied, CSV, csvOf, imported, JSON_LINES, resultOf, rowsOf, upload } from '../support/records/imports.js';
import { ADDRESS, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

/** Files in which a spreadsheet has written values in its own way. */
const service = useService();

/** Uploads a file with these query parameters. */
const uploadWith = (file: string, query = '') => service.api.post(`/v1/imports${query}`, file, CSV);

const COLUMNS = ['id', 'eTag', 'pickupDate', 'deliveryDate', 'estimatedWeight', 'customerRemarks'];

/** A file with one row for this shipment. */
function fileOf(shipment: Json, values: Json): string {
  const row = { ...shipment, ...values };
  return csvOf(COLUMNS, [COLUMNS.map((name) => row[name] ?? '')]);
}

describe('a cell in another spelling of the old value is no change', () => {
  test.each([
    ['pickupDate', '2026-12-01', ['12/1/2026', '12/01/2026', '1/12/2026', '1.12.2026', '01.12.26', '1. 12. 2026.']],
    ['pickupDate', '2026-12-01', ['12/01/26', '2026/12/1', '2026. 12. 1.', '26-12-01', '01-12-2026', '2026-12-1']],
    [
      'estimatedWeight',
      4500,
      ['4,500', '4.500', '4 500', '4\u00a0500', '4\u202f500', '4’500', "4'500", '4500.00', '4500,0'],
    ],
    ['estimatedWeight', 4500, ['4.5E+03', '4,5E+03', '4.5e3', '04500', '4,500.00', '4.500,00']],
    ['estimatedWeight', 123_456, ['1.23E+05', '1,235E+5']],
    ['customerRemarks', '00501', ['501', '501.0']],
    ['customerRemarks', '1.50', ['1.5']],
    ['customerRemarks', '1,50', ['1,5']],
    ['customerRemarks', '1,000', ['1000', '1']],
    ['customerRemarks', '1e5', ['100000', '1.00E+05', '1E+05']],
    ['customerRemarks', '2345E6', ['2.35E+09', '2345000000']],
    ['customerRemarks', '12345678901234567890', ['1.23456789012346E+019', '1.23457E+19', '12345678901234600000']],
    ['customerRemarks', '1/2/2026', ['01/02/26', '2026-01-02']],
    ['customerRemarks', 'two\r\nlines', ['two\nlines']],
    ['customerRemarks', 'two\rlines', ['two\nlines']],
  ])('%s %j', async (field, value, spellings) => {
    const shipment = await createShipment(service.api, { [field]: value });
    for (const cell of spellings) {
      const ready = await imported(service.api, fileOf(shipment, { [field]: cell }));
      expect([cell, ready.state, ready.unchanged]).toEqual([cell, 'ready', 1]);
    }
  });

  test.each([
    ['estimatedWeight', 4500, ['4501', '45000', '5.0E+03', '450']],
    ['customerRemarks', '00501', ['5010', '00502', '501a', '', '5.01']],
    ['customerRemarks', '1234567890123456', ['1234567890123457', '123456789012345']],
    ['customerRemarks', '1/2/2026', ['1/2/2027', '1/3/2026', '2/1/2026']],
    ['customerRemarks', 'two\r\nlines', ['two lines', 'two\n\nlines']],
    ['customerRemarks', 'plain', ['Plain', ' plain', '0plain']],
    ['pickupDate', '2026-12-01', ['2026-12-02', '13.12.2026', '2026/12/31', '']],
  ])('%s %j is another value than %j', async (field, value, others) => {
    const shipment = await createShipment(service.api, { [field]: value });
    for (const cell of others) {
      const ready = await imported(service.api, fileOf(shipment, { [field]: cell }));
      expect([cell, ready.toChange + ready.refused]).toEqual([cell, 1]);
    }
  });

  test('a postal code that lost its zeros', async () => {
    const shipment = await createShipment(service.api, { destinationAddress: { ...ADDRESS, postalCode: '02134' } });
    const file = (cell: string) =>
      csvOf(['id', 'eTag', 'destinationAddress.postalCode'], [[shipment.id, shipment.eTag, cell]]);
    expect(await imported(service.api, file('2134'))).toMatchObject({ unchanged: 1 });
    expect(await imported(service.api, file('2,134'))).toMatchObject({ unchanged: 1 });
    expect(await imported(service.api, file('2135'))).toMatchObject({ toChange: 1 });
  });

  test('of an older version, too, and a field that another row changed stays', async () => {
    const old = await createShipment(service.api, { pickupDate: '2026-12-01', estimatedWeight: 4500 });
    const { status } = await service.api.patch(`/v1/shipments/${old.id}`, old.eTag, { pickupDate: '2026-12-03' });
    expect(status).toBe(200);
    const ready = await imported(service.api, fileOf(old, { pickupDate: '12/1/2026', estimatedWeight: '4,600.0' }));
    expect(ready).toMatchObject({ toChange: 1 });
    const done = await applied(service.api, ready);
    expect(done).toMatchObject({ changed: 1 });
    const { body } = await service.api.get(`/v1/shipments/${old.id}`);
    expect(body).toMatchObject({ pickupDate: '2026-12-03', estimatedWeight: 4600 });
  });
});

test.each([
  ['pickupDate', '13/12/2026', '2026-12-13'],
  ['pickupDate', '12/13/2026', '2026-12-13'],
  ['pickupDate', '13.12.26', '2026-12-13'],
  ['pickupDate', '5/5/2026', '2026-05-05'],
  ['pickupDate', '2026/1/2', '2026-01-02'],
  ['pickupDate', '1900-01-01', '1900-01-01'],
  ['estimatedWeight', '1,000,000', 1_000_000],
  ['estimatedWeight', '4.500,00', 4500],
  ['estimatedWeight', '4,500.00', 4500],
  ['estimatedWeight', '4 500', 4500],
  ['estimatedWeight', '4500,0', 4500],
  ['estimatedWeight', '4.5E+03', 4500],
])('%s %j can only be read as %j', async (field, cell, value) => {
  const ready = await imported(service.api, csvOf(['shipmentType', field], [['HHG', cell]]));
  expect(ready).toMatchObject({ state: 'ready', toCreate: 1, ambiguousCells: [] });
  const [row] = await rowsOf(service.api, ready);
  expect(row.changes).toContainEqual({ field, from: null, to: value });
});

test.each([
  ['pickupDate', '1/1/1900', 'INVALID_DATE'],
  ['pickupDate', '1/0/1900', 'INVALID_DATE'],
  ['pickupDate', '12/30/1899', 'INVALID_DATE'],
  ['pickupDate', '12/30/99', 'INVALID_DATE'],
  ['pickupDate', '46357', 'INVALID_DATE'],
  ['pickupDate', '13/13/2026', 'INVALID_DATE'],
  ['pickupDate', '2/30/2026', 'INVALID_DATE'],
  ['pickupDate', '1-Dec-26', 'INVALID_DATE'],
  ['estimatedWeight', '4.5', 'WRONG_TYPE'],
  ['estimatedWeight', '4,5', 'WRONG_TYPE'],
  ['estimatedWeight', '45,00,000', 'WRONG_TYPE'],
  ['estimatedWeight', '1E+99', 'OUT_OF_RANGE'],
  ['estimatedWeight', '4500 lb', 'WRONG_TYPE'],
  ['estimatedWeight', '#####', 'WRONG_TYPE'],
])('%s %j is a refused row', async (field, cell, code) => {
  const ready = await imported(
    service.api,
    csvOf(
      ['shipmentType', field],
      [
        ['HHG', cell],
        ['HHG', ''],
      ],
    ),
  );
  expect(ready).toMatchObject({ state: 'ready', toCreate: 1, refused: 1 });
  expect(ready.firstFaults).toMatchObject([{ line: 2, column: field, code }]);
});

test.each(['1/0/1900', '1/1/1900', '12/30/1899', '00.01.1900', '30.12.1899', '1900/1/1'])(
  'the day %j of a small number is explained, and nothing is written',
  async (cell) => {
    const shipment = await createShipment(service.api, { pickupDate: '2026-12-01' });
    const ready = await imported(service.api, fileOf(shipment, { pickupDate: cell }));
    const message = expect.stringMatching(/^is a day of 1899 or 1900, which spreadsheets write for numbers/);
    expect(ready.firstFaults).toEqual([{ line: 2, column: 'pickupDate', code: 'INVALID_DATE', message }]);
    expect(await applied(service.api, ready)).toMatchObject({ changed: 0, created: 0, refused: 1 });
    expect((await service.api.get(`/v1/shipments/${shipment.id}`)).body.eTag).toBe(shipment.eTag);
  },
);

describe('a changed cell with two readings', () => {
  const FILE = csvOf(
    ['shipmentType', 'pickupDate', 'deliveryDate', 'estimatedWeight'],
    [
      ['HHG', '1/12/2026', '3/12/2026', ''],
      ['HHG', '2026-12-01', '', '4500'],
      ['HHG', '', '', '4,500'],
      ['', '', '', ''],
      ['HHG', '2/12/2026', '', '4.600'],
    ],
  );

  test('makes the file ambiguous: it says which cells, and is not applied', async () => {
    const { status, body } = await uploadWith(FILE);
    expect(status).toBe(201);
    expect(body).toMatchObject({ state: 'ambiguous', rows: 4, toCreate: 1, refused: 3 });
    const date = (line: number, column: string, cell: string, month: string, day: string) => ({
      line,
      column,
      cell,
      readings: [
        { dates: 'MDY', value: month },
        { dates: 'DMY', value: day },
      ],
    });
    expect(body.ambiguousCells).toEqual([
      date(2, 'pickupDate', '1/12/2026', '2026-01-12', '2026-12-01'),
      date(2, 'deliveryDate', '3/12/2026', '2026-03-12', '2026-12-03'),
      {
        line: 4,
        column: 'estimatedWeight',
        cell: '4,500',
        readings: [
          { decimal: '.', value: 4500 },
          { decimal: ',', value: 4.5 },
        ],
      },
    ]);
    const rows = await rowsOf(service.api, body, '&outcome=refused');
    expect(rows.map(({ line }) => line)).toEqual([2, 4, 6]);
    expect(rows[0].faults[0]).toEqual({
      column: 'pickupDate',
      code: 'AMBIGUOUS',
      message: 'can be read as 2026-01-12 (dates=MDY) or 2026-12-01 (dates=DMY)',
      cell: '1/12/2026',
      readings: date(2, '', '', '2026-01-12', '2026-12-01').readings,
    });
    const refused = await service.api.send('POST', `/v1/imports/${body.id}/apply`);
    expectProblem(refused, 409, 'AMBIGUOUS_FILE');
    const { body: now } = await service.api.get(`/v1/imports/${body.id}`);
    expect(now).toMatchObject({ state: 'ambiguous', eTag: body.eTag });
    expect(await resultOf(service.url, body)).toContain('HHG,1/12/2026,3/12/2026,,');
  });

  test.each([
    ['?dates=MDY&decimal=.', ['2026-01-12', 4500, '2026-02-12'], 1],
    ['?dates=DMY&decimal=%2C', ['2026-12-01', '2026-12-02', 4600], 1],
  ])('is read as %s says', async (query, expected, refused) => {
    const { body } = await uploadWith(FILE, query);
    expect(body).toMatchObject({ state: 'ready', ambiguousCells: [], refused });
    const rows = await rowsOf(service.api, body);
    const written = rows.flatMap(({ changes }) => changes).map(({ to }: Json) => to);
    for (const value of expected) expect(written).toContain(value);
    // 4.5 is no weight.
    expect(body.firstFaults).toMatchObject([{ column: 'estimatedWeight', code: 'WRONG_TYPE' }]);
  });

  test('one answer leaves the other question', async () => {
    const { body } = await uploadWith(FILE, '?dates=DMY');
    expect(body.state).toBe('ambiguous');
    expect(body.ambiguousCells.map(({ cell }: Json) => cell)).toEqual(['4,500', '4.600']);
  });

  test('and two digits of a year may have three', async () => {
    const { body } = await uploadWith(csvOf(['shipmentType', 'pickupDate'], [['HHG', '10/11/12']]));
    expect(body.ambiguousCells[0].readings).toEqual([
      { dates: 'MDY', value: '2012-10-11' },
      { dates: 'DMY', value: '2012-11-10' },
      { dates: 'YMD', value: '2010-11-12' },
    ]);
    const { body: ready } = await uploadWith(
      csvOf(['shipmentType', 'pickupDate'], [['HHG', '26/11/12']]),
      '?dates=YMD',
    );
    expect(ready.firstChanges[0].changes).toContainEqual({ field: 'pickupDate', from: null, to: '2026-11-12' });
  });

  test('what the file says is read strictly: no other order, and no other spelling of the old value', async () => {
    const shipment = await createShipment(service.api, { pickupDate: '2026-12-01' });
    const file = fileOf(shipment, { pickupDate: '12/1/2026' });
    expect((await uploadWith(file)).body).toMatchObject({ unchanged: 1 });
    expect((await uploadWith(file, '?dates=MDY')).body).toMatchObject({ unchanged: 1 });
    const { body } = await uploadWith(file, '?dates=DMY');
    expect(body.firstChanges[0].changes).toEqual([{ field: 'pickupDate', from: '2026-12-01', to: '2026-01-12' }]);
    const other = fileOf(shipment, { pickupDate: '13/12/2026' });
    expect((await uploadWith(other, '?dates=MDY')).body.firstFaults).toMatchObject([{ code: 'INVALID_DATE' }]);
  });
});

test.each([
  ['pickupDate', '25/12/2026', '12/26/2026', /"12\/26\/2026" .* "25\/12\/2026" in line 2/],
  ['estimatedWeight', '1,000.5', '1.000,5', /"1.000,5" .* "1,000.5" in line 2/],
])('a column with %s %j and %j is malformed, and nothing is stored', async (field, first, second, detail) => {
  const shipment = await createShipment(service.api, { pickupDate: '2026-12-01' });
  const count = async () => (await service.sql.query('SELECT count(*)::int AS n FROM import_rows')).rows[0].n;
  const before = await count();
  const rows = [['HHG', first], ...Array.from({ length: 300 }, () => ['HHG', '']), ['HHG', second]];
  const problem = expectProblem(await upload(service.api, csvOf(['shipmentType', field], rows)), 400, 'MALFORMED_FILE');
  expect(problem).toMatchObject({ line: 303, column: field });
  expect(problem.detail).toMatch(detail);
  expect(await count()).toBe(before);
  expect((await service.api.get(`/v1/shipments/${shipment.id}`)).body.eTag).toBe(shipment.eTag);
});

test('cells that did not change say nothing about the others', async () => {
  const one = await createShipment(service.api, { pickupDate: '2026-12-25' });
  const other = await createShipment(service.api, { pickupDate: '2026-12-26' });
  const rows = [
    [one.id, one.eTag, '12/25/2026'],
    [other.id, other.eTag, '27/12/2026'],
  ];
  expect(await imported(service.api, csvOf(['id', 'eTag', 'pickupDate'], rows))).toMatchObject({
    state: 'ready',
    toChange: 1,
  });
});

describe('a new postal code', () => {
  const address = ['streetAddress1', 'city', 'state', 'postalCode', 'country'].map((name) => `pickupAddress.${name}`);

  /** The warnings of a row that creates a shipment with this address. */
  async function warningsOf(postalCode: string, country: string): Promise<Json[]> {
    const row = ['HHG', '1 Main Street', 'Boston', 'MA', postalCode, country];
    const ready = await imported(service.api, csvOf(['shipmentType', ...address], [row]));
    expect(ready).toMatchObject({ state: 'ready', toCreate: 1 });
    return ready.firstChanges[0].warnings;
  }

  test.each([
    ['2134', ''],
    ['2134', 'US'],
    ['2134', 'united states'],
    ['2134', 'USA'],
    ['1067', 'Deutschland'],
    ['1067', 'Germany'],
    ['150', 'NO'],
  ])('%s in %j is shorter than its country has them', async (postalCode, country) => {
    expect(await warningsOf(postalCode, country)).toMatchObject([
      { column: 'pickupAddress.postalCode', code: 'SHORT_POSTAL_CODE' },
    ]);
  });

  test.each([
    ['02134', ''],
    ['02134-1234', 'US'],
    ['1010', 'AT'],
    ['1010', 'Österreich'],
    ['0150', 'Norge'],
    ['K1A 0B1', 'CA'],
    ['AB1', ''],
    ['1', 'nowhere'],
  ])('%s in %j is not', async (postalCode, country) => {
    expect(await warningsOf(postalCode, country)).toEqual([]);
  });

  test('of an existing address is compared with its country, and only if it is new', async () => {
    const german = { ...ADDRESS, postalCode: '01067', country: 'DE' };
    const shipment = await createShipment(service.api, {
      destinationAddress: german,
      pickupAddress: { ...ADDRESS, postalCode: '1' },
    });
    const columns = ['id', 'eTag', 'destinationAddress.postalCode', 'pickupAddress.city'];
    const ready = await imported(service.api, csvOf(columns, [[shipment.id, shipment.eTag, '1068', 'Berlin']]));
    const [{ warnings, outcome }] = (await rowsOf(service.api, ready)) as [Json];
    expect(warnings).toEqual([
      {
        column: 'destinationAddress.postalCode',
        code: 'SHORT_POSTAL_CODE',
        message: 'has fewer than the 5 digits of postal codes in Germany: a spreadsheet may have removed zeros',
      },
    ]);
    expect(outcome).toBe('change');
    const [row] = await rowsOf(
      service.api,
      await imported(
        service.api,
        csvOf([...columns, 'destinationAddress.country'], [[shipment.id, shipment.eTag, '1068', 'Wien', 'AT']]),
      ),
    );
    expect(row.warnings).toEqual([]);
  });
});

test('JSON lines went through no spreadsheet', async () => {
  const ready = await imported(service.api, '{"shipmentType":"HHG","pickupDate":"13/12/2026"}', JSON_LINES);
  expect(ready.firstFaults).toMatchObject([{ column: 'pickupDate', code: 'INVALID_DATE' }]);
});

test.each([
  ['?dates=mdy', 'dates'],
  ['?decimal=;', 'decimal'],
  ['?dates=MDY&dates=DMY', 'dates'],
  ['?thousands=.', 'thousands'],
])('400 for %s', async (query, name) => {
  const problem = expectProblem(await uploadWith('shipmentType\r\nHHG', query), 400, 'INVALID_PARAMETER');
  expect(problem.errors).toMatchObject([{ pointer: `?${name}` }]);
});

test('columns at the end that were used once are no columns', async () => {
  const file = 'shipmentType,customerRemarks,,\r\nHHG,x,,\r\n,,,\r\nNTS,,,\r\n';
  expect(await imported(service.api, file)).toMatchObject({ rows: 2, toCreate: 2, refused: 0 });
});
