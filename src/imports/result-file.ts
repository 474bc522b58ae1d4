import { cellOf, guardedCell, textCell } from '../files/cells.js';
import type { Column } from '../files/columns.js';
import { csvLines } from '../files/csv.js';
import { columnAt, conflictsIn, faultsOf } from './dto/import-row.dto.js';
import type { ImportRow } from './import-row.js';
import type { ImportRows } from './import-rows.js';
import { COLUMNS, isOfResult, RESULT_COLUMNS, THEIRS } from './reading/header.js';
import { writes } from './row-values.js';

const PAGE = 100;

/**
 * The refused rows of an import as CSV, in batches of lines, to be corrected and uploaded again. Changed cells are as they were sent, with
 * formulas guarded. All other cells and the eTag are those of the shipment when the row was refused, so that a new upload does not revert
 * changes by others.
 */
export async function* resultLines(rows: ImportRows, importID: string): AsyncGenerator<string, void, undefined> {
  // A JSON lines file has no header, so its result has all columns.
  const { delimiter = ',', names = COLUMNS.map(({ path }) => path) } = (await rows.header(importID)) ?? {};
  const columns = names.map((name) => COLUMNS.find(({ path }) => path === name));
  const theirs = await changedByOthers(rows, importID);
  const own = names.filter((name) => !isOfResult(name));
  yield csvLines([[...own, ...RESULT_COLUMNS, ...theirs.map(({ path }) => THEIRS + path)]], delimiter);
  for await (const batch of refusedRows(rows, importID)) {
    const lines = batch.map((row) => cellsOf(row, columns, theirs));
    yield csvLines(lines, delimiter);
  }
}

async function* refusedRows(rows: ImportRows, importID: string): AsyncGenerator<readonly ImportRow[], void, undefined> {
  for (let after = 0; ;) {
    const batch = await rows.after(importID, { after, outcomes: ['refused'], limit: PAGE });
    // An erased row has nothing left to correct.
    if (batch.length > 0) yield batch.filter(({ erased }) => !erased);
    if (batch.length < PAGE) return;
    after = batch.at(-1)?.line ?? 0;
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

function cellsOf(row: ImportRow, columns: readonly (Column | undefined)[], theirs: readonly Column[]): string[] {
  const { problem, current } = row;
  const conflicts = conflictsIn(problem);
  const mine = columns.flatMap((column, index) => (column === undefined ? [] : [cellAt(row, column, index)]));
  const changedBy = [...new Set(conflicts.flatMap(({ changedBy: who }) => who ?? []))].join(', ');
  const changedAt = conflicts.flatMap(({ changedAt: when }) => when ?? []).sort();
  const others = theirs.map((column) => {
    const isTheirs = conflicts.some(({ field }) => columnAt(`/${field}`) === column.path);
    return isTheirs && current !== null ? cellOf(current, column) : '';
  });
  const texts = [errorOf(problem), changedBy].map((text) => (text === '' ? '' : textCell(text)));
  return [...mine, ...texts, changedAt.at(-1) ?? '', ...others];
}

/**
 * The cell of a refused row: the sent value if the row changes it, otherwise the current one. If the row's version is unknown, so are its
 * changes: the row is returned as sent, without a newer eTag, which would revert changes by others.
 */
function cellAt({ sent, body, base, current }: ImportRow, column: Column, index: number): string {
  const own = Array.isArray(sent) ? guardedCell(String(sent[index] ?? '')) : cellOf(sent ?? {}, column);
  if (body === null || base === null || current === null || writes(body, column.names)) return own;
  return cellOf(current, column);
}

function errorOf(problem: ImportRow['problem']): string {
  const messages = faultsOf(problem).map(({ column, code, message }) => {
    return column === null || message === problem?.detail ? message : `${column} ${message} (${code})`;
  });
  return messages.join('; ');
}
