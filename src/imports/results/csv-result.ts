import { cellOf, guardedCell, spreadsheetCellOf, textCell, unformattedCell } from '../../files/cells.js';
import type { Column } from '../../files/columns.js';
import { BYTE_ORDER_MARK, csvLines } from '../../files/csv.js';
import { columnAt, conflictsIn } from '../dto/import-row.dto.js';
import type { ImportRow } from '../import-row.js';
import type { ImportRows } from '../import-rows.js';
import { COLUMNS, isOfResult, RESULT_COLUMNS, THEIRS } from '../reading/header.js';
import { explanationOf, refusedRows, sourceOf } from './refused-rows.js';

/** How cells are written: as values of a shipment, and as they were sent. */
interface CellWriter {
  readonly ofRecord: typeof cellOf;
  readonly asSent: (cell: string) => string;
}

const PLAIN: CellWriter = { ofRecord: cellOf, asSent: guardedCell };
const FOR_SPREADSHEETS: CellWriter = {
  ofRecord: spreadsheetCellOf,
  asSent: (cell) => unformattedCell(guardedCell(cell)),
};

/** The refused rows of an import as CSV, with the columns of the uploaded file. */
export async function* csvResult(
  rows: ImportRows,
  importID: string,
  excel: boolean,
): AsyncGenerator<string, void, undefined> {
  const { delimiter, names } = await rows.header(importID);
  const columns = names.map((name) => COLUMNS.find(({ path }) => path === name));
  const theirs = await changedByOthers(rows, importID);
  const own = names.filter((name) => !isOfResult(name));
  const header = [...own, ...RESULT_COLUMNS, ...theirs.map(({ path }) => THEIRS + path)];
  yield (excel ? BYTE_ORDER_MARK : '') + csvLines([header], delimiter);
  const writer = excel ? FOR_SPREADSHEETS : PLAIN;
  for await (const batch of refusedRows(rows, importID)) {
    const lines = batch.map((row) => cellsOf(row, columns, theirs, writer));
    yield csvLines(lines, delimiter);
  }
}

/** The columns in which others have changed a field that a refused row writes. */
async function changedByOthers(rows: ImportRows, importID: string): Promise<readonly Column[]> {
  const paths = new Set<string | null>();
  for await (const batch of refusedRows(rows, importID)) {
    for (const { field } of batch.flatMap(({ problem }) => conflictsIn(problem))) paths.add(columnAt(`/${field}`));
  }
  return COLUMNS.filter(({ path }) => paths.has(path));
}

function cellsOf(
  row: ImportRow,
  columns: readonly (Column | undefined)[],
  theirs: readonly Column[],
  writer: CellWriter,
): string[] {
  const { current } = row;
  const { error, conflicts, changedBy, changedAt } = explanationOf(row);
  const mine = columns.flatMap((column, index) => (column === undefined ? [] : [cellAt(row, column, index, writer)]));
  const others = theirs.map((column) => {
    const isTheirs = conflicts.some(({ field }) => columnAt(`/${field}`) === column.path);
    return isTheirs && current !== null ? writer.ofRecord(current, column) : '';
  });
  const texts = [error, changedBy].map((text) => (text === '' ? '' : textCell(text)));
  return [...mine, ...texts, changedAt, ...others];
}

/** The cell of a refused row; formulas are guarded. */
function cellAt(row: ImportRow, column: Column, index: number, { ofRecord, asSent }: CellWriter): string {
  const { sent, base, current } = row;
  const { names } = column;
  const source = sourceOf(row, names);
  if (source === 'sent') return asSent((sent as readonly string[])[index] ?? '');
  if (source === 'current') return ofRecord(current ?? {}, column);
  const [part = '', member = ''] = names;
  return ofRecord({ [part]: { [member]: base?.[names.join('/')] } }, column);
}
