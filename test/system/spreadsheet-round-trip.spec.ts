import { parse } from 'csv-parse/sync';
import { csvLines } from '../../src/files/csv.js';
import type { Json } from '../support/http/api.js';
import { walk } from '../support/http/paging.js';
import { CSV } from '../support/records/files.js';
import { applied, CSV as AS_CSV, imported, JSON_LINES, resultOf, rowsOf } from '../support/records/imports.js';
import { ADDRESS } from '../support/records/records.js';
import { openAndSave } from '../support/repository/libre-office.js';
import { repetitions } from '../support/repository/sweeps.js';
import { describeWith } from '../support/repository/tools.js';
import { useService } from '../support/service/service.js';

/** Somebody edits twelve rows of an export for spreadsheets while a colleague changes one of them. */
const service = useService();

const ROWS = repetitions(5000, 130);

/** What spreadsheets turn into numbers and dates. */
const CODES = ['02134', '00501', '1E5', '2345E6', 'JUNE23', '03/04', '1-2', '12:30', '1.50', '1,000', '4.5', '007'];

beforeAll(async () => {
  const shipments = Array.from({ length: ROWS }, (_, at) => {
    const day = String((at % 28) + 1).padStart(2, '0');
    const code = CODES[at % CODES.length] ?? '';
    return {
      shipmentType: code,
      pickupDate: `2027-${String((at % 12) + 1).padStart(2, '0')}-${day}`,
      deliveryDate: '2028-01-02',
      estimatedWeight: 1000 + at,
      customerRemarks: at % 2 === 0 ? code : `Straße ${at}`,
      destinationAddress: { ...ADDRESS, streetAddress2: code, postalCode: String(at).padStart(5, '0') },
    };
  });
  const lines = shipments.map((shipment) => JSON.stringify(shipment)).join('\n');
  const done = await applied(service.api, await imported(service.api, lines, JSON_LINES));
  expect(done).toMatchObject({ created: ROWS, refused: 0 });
});

const all = async () => (await walk(service.api, '/v1/shipments?limit=200')).flat();

/** What somebody types into twelve rows, and what it means. The twelfth is the one that the colleague changes. */
const TYPED = {
  'en-US': {
    first: 7,
    query: 'dates=MDY&decimal=.',
    dates: ['12/5/2028', '12/24/2028', '3/4/2028'],
    weights: ['4,700', '4,800'],
  },
  'de-DE': {
    first: 14,
    query: 'dates=DMY&decimal=,',
    dates: ['5.12.2028', '24.12.2028', '4.3.2028'],
    weights: ['4.700', '4.800'],
  },
} as const;
const DAYS = ['2028-12-05', '2028-12-24', '2028-03-04'];
const COLLIDING = 11;

describeWith(['soffice'], 'an export that is edited in LibreOffice', () => {
  test.each(['en-US', 'de-DE'] as const)(
    'in %s: eleven rows are written, one conflicts, nothing else changes',
    async (language) => {
      const { query, dates, weights, first } = TYPED[language];
      const edits: readonly (readonly [column: string, typed: string, path: string, value: unknown])[] = [
        ...dates.map((typed, at) => ['deliveryDate', typed, 'deliveryDate', DAYS[at]] as const),
        ...weights.map((typed, at) => ['actualWeight', typed, 'actualWeight', [4700, 4800][at]] as const),
        ['actualWeight', '950', 'actualWeight', 950],
        ['destinationAddress.postalCode', '62702', 'destinationAddress/postalCode', '62702'],
        ['destinationAddress.city', 'Köln', 'destinationAddress/city', 'Köln'],
        ['customerRemarks', 'Ring twice', 'customerRemarks', 'Ring twice'],
        ['customerRemarks', '', 'customerRemarks', null],
        ['shipmentType', 'NTS', 'shipmentType', 'NTS'],
        ['customerRemarks', `mine, in ${language}`, 'customerRemarks', `mine, in ${language}`],
      ];
      expect(edits).toHaveLength(COLLIDING + 1);

      const response = await fetch(`${service.url}/v1/shipments?excel=true`, { headers: CSV });
      const [header = [], ...rows] = parse(await response.text(), { bom: true });
      expect(rows).toHaveLength(ROWS);
      const rowOf = (edit: number) => first + edit * 10;
      for (const [edit, [column, typed]] of edits.entries()) {
        const row = rows[rowOf(edit)] ?? [];
        row[header.indexOf(column)] = typed;
      }
      const idOf = (edit: number) => rows[rowOf(edit)]?.[0] ?? '';
      const file = Buffer.from(`\uFEFF${csvLines([header, ...rows])}`);
      const saved = new Uint8Array(await openAndSave(file, { language, specialNumbers: true }));
      const before = new Map((await all()).map((shipment) => [shipment.id, shipment]));
      const theirs = { customerRemarks: `theirs, against ${language}` };
      expect((await service.api.patch(`/v1/shipments/${idOf(COLLIDING)}`, '*', theirs)).status).toBe(200);

      // 5 December or 12 May: nobody but the reader of the file knows.
      expect(await imported(service.api, saved)).toMatchObject({ state: 'ambiguous' });
      const { body: ready } = await service.api.post(`/v1/imports?${query}`, saved, AS_CSV);
      expect(ready).toMatchObject({ state: 'ready', rows: ROWS, toChange: 11, unchanged: ROWS - 12, refused: 1 });
      const changed = await rowsOf(service.api, ready, '&outcome=change');
      const found = changed.map(({ resourceID, changes }) => [
        resourceID,
        changes.map(({ field, to }: Json) => [field, to]),
      ]);
      const expected = edits.slice(0, COLLIDING).map(([, , path, value], edit) => [idOf(edit), [[path, value]]]);
      expect(found).toEqual(expected);
      const done = await applied(service.api, ready);
      expect(done).toMatchObject({ changed: 11, refused: 1, unchanged: ROWS - 12 });

      const now = await all();
      const touched = now.filter(({ id, eTag }) => before.get(id)?.eTag !== eTag).map(({ id }) => id);
      expect(touched.sort()).toEqual(edits.map((_, edit) => idOf(edit)).sort());
      expect(now.find(({ id }) => id === idOf(COLLIDING))).toMatchObject(theirs);
      const [refused] = await rowsOf(service.api, ready, '&outcome=refused');
      expect(refused).toMatchObject({
        resourceID: idOf(COLLIDING),
        faults: [{ column: 'customerRemarks', code: 'CONFLICT' }],
      });

      // Saved by a spreadsheet once more, its row still changes nothing else.
      const result = Buffer.from(await resultOf(service.url, ready, '?excel=true'));
      const corrected = new Uint8Array(await openAndSave(result, { language, specialNumbers: true }));
      const { body: again } = await service.api.post(`/v1/imports?${query}`, corrected, AS_CSV);
      expect(again).toMatchObject({ state: 'ready', rows: 1, toChange: 1, refused: 0 });
      const [row] = await rowsOf(service.api, again);
      expect(row.changes.map(({ field, to }: Json) => [field, to])).toEqual([
        ['customerRemarks', `mine, in ${language}`],
      ]);
      expect(row.warnings).toEqual([]);
    },
  );
});
