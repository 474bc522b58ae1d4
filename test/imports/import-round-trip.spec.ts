// Not through PgBouncer: it only reads, with statements that other specs send through it.
import { cellOf } from '../../src/files/cells.js';
import { csvLines } from '../../src/files/csv.js';
import { COLUMNS } from '../../src/imports/reading/header.js';
import type { Json } from '../support/http/api.js';
import { applied, imported, JSON_LINES, rowsOf } from '../support/records/imports.js';
import { everyText, shipmentsOf } from '../support/records/every-text.js';
import { walk } from '../support/http/paging.js';
import { repetitions } from '../support/repository/sweeps.js';
import { useService } from '../support/service/service.js';

const service = useService();
let all: Json[];

/** As many as there are texts at least. */
const SHIPMENTS = repetitions(2000, 450);

beforeAll(async () => {
  const lines = shipmentsOf(everyText(), SHIPMENTS).map((fields) => JSON.stringify(fields));
  const done = await applied(service.api, await imported(service.api, lines.join('\n'), JSON_LINES));
  expect(done).toMatchObject({ created: SHIPMENTS, refused: 0 });
  all = (await walk(service.api, '/v1/shipments?limit=200')).flat();
});

/** The cells of all shipments, below the names of the columns. */
function cells(): string[][] {
  const rows = all.map((record) => COLUMNS.map((column) => cellOf(record, column)));
  return [COLUMNS.map(({ path }) => path), ...rows];
}

test('a file that is imported unchanged changes nothing', async () => {
  const file = `\uFEFF${csvLines(cells())}`;
  expect(await imported(service.api, file)).toMatchObject({ rows: SHIPMENTS, unchanged: SHIPMENTS });
  const lines = all.map((record) => `${JSON.stringify(record)}\n`).join('');
  expect(await imported(service.api, lines, JSON_LINES)).toMatchObject({ rows: SHIPMENTS, unchanged: SHIPMENTS });
});

test('so does one with semicolons, with other line breaks, and with other columns and rows first', async () => {
  const [header = [], ...rows] = cells();
  const turned = [header, ...rows.reverse()].map((row) => row.toReversed());
  const file = csvLines(turned, ';');
  expect(await imported(service.api, file)).toMatchObject({ unchanged: SHIPMENTS });
  // Line breaks inside of cells are part of their texts.
  const plain = csvLines(
    turned.map((row) => row.map((cell) => (/[\r\n]/.test(cell) ? '' : cell))),
    ';',
  );
  expect(await imported(service.api, plain.replaceAll('\r\n', '\n'))).toMatchObject({ rows: SHIPMENTS, refused: 0 });
});

test('one changed cell is one changed field', async () => {
  const [header = [], ...rows] = cells();
  const at = header.indexOf('customerRemarks');
  const row = rows[7] ?? [];
  row[at] = "'=changed";
  const made = await imported(service.api, csvLines([header, ...rows]));
  expect(made).toMatchObject({ toChange: 1, unchanged: SHIPMENTS - 1 });
  const [changed] = await rowsOf(service.api, made, '&outcome=change');
  expect(changed.changes).toMatchObject([{ field: 'customerRemarks', to: '=changed' }]);
});
