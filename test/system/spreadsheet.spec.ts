import { parse } from 'csv-parse/sync';
import { valueOf } from '../../src/files/cells.js';
import { COLUMNS } from '../../src/imports/reading/header.js';
import type { Json } from '../support/http/api.js';
import { CSV, valuesIn } from '../support/records/files.js';
import { applied, imported, rowsOf } from '../support/records/imports.js';
import { openAndSave } from '../support/repository/libre-office.js';
import { ADDRESS, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';
import { describeWith } from '../support/repository/tools.js';

const service = useService();

/** Texts that come back as they were. */
const KEPT = [
  ...['=1+1', '+1 555 0100', '-5', '@SUM(A1)', "'quoted'", "''", '', 'plain', 'a;b', 'a,b', 'say "hi"', 'a\tb'],
  ...['two\nlines', '\ttab', '\nfeed', ' blanks ', '\u200Bhidden', 'é 🚚 שלום', '\uFEFFmark', 'null', '"', '\\'],
  ...['2026-04-01', '1-2', '1 000', '62701', '#N/A', 'TRUE', '1.5.2026', '0x10'],
];
/** Line breaks, of which it writes one kind. */
const RESPELLED_LINES: Readonly<Record<string, string>> = {
  'two\r\nlines': 'two\nlines',
  'two\rlines': 'two\nlines',
  '\rreturn': '\nreturn',
};
/** Texts that it takes for numbers or writes in its own way, and what it makes of them. The import takes none of them for a change. */
const RESPELLED: Readonly<Record<string, string>> = {
  ...RESPELLED_LINES,
  '00501': '501',
  '007': '7',
  '1.50': '1.5',
  '1,000': '1000',
  '1e5': '100000',
  '12345678901234567890': '1.23456789012346E+019',
};
/** The same when it is asked to detect special numbers. */
const RESPELLED_SPECIALLY: Readonly<Record<string, string>> = {
  ...RESPELLED,
  '1e5': '1.00E+05',
  '1/2/2026': '01/02/26',
};
/** What the import reports as a change. */
const ALTERED_SPECIALLY: Readonly<Record<string, string>> = {
  '12:30': '12:30:00 PM',
  true: 'TRUE',
  '50%': '50.00%',
  $5: '$5.00',
  '(5)': '-5',
};
const TEXTS = [...KEPT, ...Object.keys(RESPELLED_SPECIALLY), ...Object.keys(ALTERED_SPECIALLY)];

/** A shipment that has the text, as far as it may, in a long text and in a short one. */
async function create(text: string): Promise<void> {
  const isShort = /^[^\p{C}]+$/u.test(text) && text.trim() !== '';
  const address = { ...ADDRESS, postalCode: '62701', ...(isShort && { streetAddress1: text }) };
  await createShipment(service.api, {
    customerRemarks: text,
    pickupDate: '2026-03-01',
    estimatedWeight: 4500,
    destinationAddress: address,
  });
}

async function exported(query: string): Promise<Uint8Array> {
  const response = await fetch(`${service.url}/v1/shipments${query}`, { headers: CSV });
  return new Uint8Array(await response.arrayBuffer());
}

/** The fields in which a file differs from the shipments, by shipment. */
function alterations(file: Buffer, shipments: readonly Json[]): Map<string, Json> {
  const [names, ...rows] = parse(file);
  expect(names).toEqual(COLUMNS.map(({ path }) => path));
  expect(rows).toHaveLength(shipments.length);
  return new Map(
    rows.map((cells, row) => {
      const now = valuesIn(shipments[row], COLUMNS);
      const altered = COLUMNS.flatMap((column, at) => {
        const value = valueOf(cells[at] ?? '', column);
        return column.kind === 'timestamp' || value === now[at] ? [] : [[column.path.replace('.', '/'), value]];
      });
      return [String(shipments[row].id), Object.fromEntries(altered)];
    }),
  );
}

/** The changes that the import reports, by shipment. */
async function reported(ready: Json): Promise<Map<string, Json>> {
  return new Map(
    (await rowsOf(service.api, ready)).map(({ resourceID, changes }) => [
      resourceID,
      Object.fromEntries(changes.map(({ field, to }: Json) => [field, to])),
    ]),
  );
}

/** The remarks that were altered, by their original text. */
function alteredRemarks(altered: ReadonlyMap<string, Json>, shipments: readonly Json[]): Json {
  const found = shipments.map(({ id, customerRemarks }) => [customerRemarks, altered.get(id)?.customerRemarks]);
  return Object.fromEntries(found.filter(([, to]) => to !== undefined));
}

describeWith(['soffice'], 'an export that LibreOffice has opened and saved', () => {
  beforeAll(async () => {
    for (const text of TEXTS) await create(text);
  });

  const shipmentsNow = async () => (await service.api.get<Json[]>('/v1/shipments?limit=200')).body;

  test.each([
    ['', false, RESPELLED, {}],
    ['?excel=true', false, RESPELLED_LINES, {}],
    ['', true, RESPELLED_SPECIALLY, ALTERED_SPECIALLY],
    ['?excel=true', true, RESPELLED_LINES, {}],
  ])(
    '%s, special numbers %s: the import reports what was altered, but no other spelling',
    async (query, special, respelled, altered) => {
      const shipments = await shipmentsNow();
      const file = await openAndSave(await exported(query), { specialNumbers: special });
      const ready = await imported(service.api, new Uint8Array(file));
      expect(alteredRemarks(alterations(file, shipments), shipments)).toEqual({ ...respelled, ...altered });
      expect(alteredRemarks(await reported(ready), shipments)).toEqual(altered);
      const toChange = Object.keys(altered).length;
      const unchanged = TEXTS.length - toChange;
      expect(ready).toMatchObject({ rows: TEXTS.length, toCreate: 0, toChange, unchanged, refused: 0 });
    },
  );

  test('a cell that a person changed is written, and nothing else', async () => {
    const before = await shipmentsNow();
    const file = (await openAndSave(await exported(''))).toString();
    const done = await applied(
      service.api,
      await imported(service.api, file.replace(/(?<=[",;\t])plain(?=[",;\t])/, 'edited')),
    );
    expect(done).toMatchObject({ changed: 1, refused: 0 });
    const remarks = (list: readonly Json[]) => list.map(({ customerRemarks }) => customerRemarks);
    const expected = remarks(before).map((text) => (text === 'plain' ? 'edited' : text));
    expect(remarks(await shipmentsNow())).toEqual(expected);
  });
});
