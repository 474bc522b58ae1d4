import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvLines } from '../../src/files/csv.js';
import { isSpellingOf } from '../../src/imports/reading/notations.js';
import { hasForbiddenCharacter } from '../../src/validation/characters.js';
import type { Json } from '../support/http/api.js';
import { applied, CSV, csvOf, imported, JSON_LINES, resultOf, rowsOf } from '../support/records/imports.js';
import { expectProblem } from '../support/http/problem.js';
import { createShipment } from '../support/records/records.js';
import { everyText } from '../support/records/every-text.js';
import { repetitions, shareOf } from '../support/repository/sweeps.js';
import { useService } from '../support/service/service.js';

const service = useService();

/** Records of a file as a person edits them: texts by column or member. */
interface Format {
  readonly headers: Record<string, string>;
  /** A parameter of the export and the result. */
  readonly parameter?: string;
  readonly read: (file: string) => Json[];
  readonly write: (rows: readonly Json[]) => string;
}

const CSV_WITH = (delimiter: string): Format => ({
  headers: CSV,
  read: (file) => parse(file, { columns: true, bom: true, delimiter: [',', ';'] }),
  write: (rows) => csvLines([Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values<string>(row))], delimiter),
});

const FORMATS: readonly (readonly [string, Format])[] = [
  ['CSV with commas', CSV_WITH(',')],
  ['CSV with semicolons', CSV_WITH(';')],
  ['CSV for spreadsheets', { ...CSV_WITH(','), parameter: 'excel=true' }],
  [
    'JSON Lines',
    {
      headers: JSON_LINES,
      read: (file) =>
        file
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      write: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    },
  ],
];

/** Texts that begin with each character and spelling that files or spreadsheets treat in their own way. */
const BEGINNINGS = everyText().long.filter((text) => text !== '' && text.length < 20);
const beginning = fc.constantFrom(...BEGINNINGS);
const text = fc
  .tuple(beginning, fc.constantFrom('', "'", "''"), fc.string({ maxLength: 6 }))
  .map(([first, quotes, rest]) => `${quotes}${first}${rest}`)
  .filter((each) => !hasForbiddenCharacter(each, 'long'));

test('a result for spreadsheets keeps what they would change: as it was sent, as it is, and as others changed it', async () => {
  const address = { streetAddress1: '1 A', city: 'X', state: 'MA', postalCode: '02134' };
  const values = { shipmentType: '1E5', pickupDate: '2027-03-01', destinationAddress: address, estimatedWeight: 4500 };
  const { id, eTag, shipmentCode } = await createShipment(service.api, values);
  await service.api.patch(`/v1/shipments/${id}`, eTag, { deliveryDate: '2027-03-09' });
  const columns = [
    'id',
    'eTag',
    'shipmentCode',
    'shipmentType',
    'pickupDate',
    'deliveryDate',
    'destinationAddress.postalCode',
    'estimatedWeight',
  ];
  const row = [id, eTag, shipmentCode, '1E5', '2027-03-01', '2027-03-20', '02134', '4,700'];
  const { body: ready } = await service.api.post('/v1/imports?decimal=.', csvOf(columns, [row]), CSV);
  const file = await resultOf(service.url, ready, '?excel=true');
  expect(file.startsWith('\uFEFFid,')).toBe(true);
  const [found] = CSV_WITH(',').read(file);
  expect(found).toMatchObject({
    shipmentType: '="1E5"',
    pickupDate: '="2027-03-01"',
    deliveryDate: '="2027-03-20"',
    'destinationAddress.postalCode': '="02134"',
    estimatedWeight: '="4,700"',
    'theirs:deliveryDate': '="2027-03-09"',
  });
  expect((await resultOf(service.url, ready)).startsWith('id,')).toBe(true);
  const again = await imported(service.api, CSV_WITH(';').write([{ ...found, estimatedWeight: '4900' }]));
  const [{ changes }] = (await rowsOf(service.api, again)) as [Json];
  expect(changes.map(({ field, to }: Json) => [field, to])).toEqual([
    ['deliveryDate', '2027-03-20'],
    ['estimatedWeight', 4900],
  ]);
});

test('400 for excel with JSON Lines', async () => {
  const { id } = await imported(service.api, '{"shipmentType":7}', JSON_LINES);
  for (const excel of ['true', 'false']) {
    expectProblem(await service.api.get(`/v1/imports/${id}/result?excel=${excel}`), 400, 'INVALID_PARAMETER');
  }
});

const read = async (id: string) => (await service.api.get(`/v1/shipments/${id}`)).body;

/** Exports a list, of which other people then change every record; the edited file is refused and comes back. */
async function cycle(
  { headers, parameter = '', read: rowsIn, write }: Format,
  texts: readonly string[],
  mark: string,
): Promise<void> {
  const bodies = texts.map((customerRemarks) => ({ shipmentType: mark, customerRemarks, pickupDate: '2026-03-01' }));
  const lines = bodies.map((body) => JSON.stringify(body)).join('\n');
  expect(await applied(service.api, await imported(service.api, lines, JSON_LINES))).toMatchObject({ refused: 0 });
  const answer = await fetch(`${service.url}/v1/shipments?shipmentType=${mark}${parameter && `&${parameter}`}`, {
    headers: { Accept: headers['Content-Type'] ?? '' },
  });
  const rows = rowsIn(await answer.text());
  expect(rows.length).toBe(texts.length);

  // Each row takes the text of another one: what an export wrote is what an edit keeps.
  const edited = rows.map((row, at) => ({
    ...row,
    customerRemarks: rows[(at + 1) % rows.length]?.customerRemarks,
  }));
  const before = await Promise.all(rows.map(({ id }) => read(id)));
  const theirs = (at: number) => ({
    customerRemarks: `${texts[at] ?? ''} theirs`,
    pickupDate: null,
    actualWeight: 1 + at,
  });
  for (const [at, { id }] of rows.entries()) {
    expect((await service.api.patch(`/v1/shipments/${id}`, '*', theirs(at))).status).toBe(200);
  }
  const ready = await imported(service.api, write(edited), headers);
  // In CSV, another spelling of the old text, such as 0 for 00, is no change.
  const isSame = (text: string, edit: string) => text === edit || (headers === CSV && isSpellingOf(text, edit, {}));
  const same = before.filter(({ customerRemarks }, at) =>
    isSame(customerRemarks, before[(at + 1) % rows.length]?.customerRemarks),
  );
  expect(ready).toMatchObject({ refused: rows.length - same.length, unchanged: same.length });

  const result = rowsIn(await resultOf(service.url, ready, parameter && `?${parameter}`));
  const again = await imported(service.api, write(result), headers);
  expect(await applied(service.api, again)).toMatchObject({ changed: rows.length - same.length, refused: 0 });
  for (const [at, record] of before.entries()) {
    if (same.includes(record)) continue;
    const mine = before[(at + 1) % rows.length]?.customerRemarks as string;
    expect(await read(record.id)).toMatchObject({ ...theirs(at), customerRemarks: mine });
  }
}

test.each(FORMATS)('every text comes through export, edit, import and result in %s', async (name, format) => {
  const place = FORMATS.findIndex(([each]) => each === name);
  await cycle(format, shareOf(BEGINNINGS, place, FORMATS.length), `Each${place}`);
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(text, { minLength: 2, maxLength: 8 }), (texts) =>
      cycle(format, texts, `Run${place}x${(run += 1)}`),
    ),
    { numRuns: repetitions(60, 4), examples: [[['0', '00', 'other']]] },
  );
});
