import { columnsOf, type Column } from '../../files/columns.js';
import { didYouMean } from '../../problem/nearest.js';
import { SHIPMENT_FILES } from '../../shipments/shipment-files.js';
import { fileFault } from './file-fault.js';
import type { Header } from './file-row.js';

/** The columns that a file can have. */
export const COLUMNS: readonly Column[] = columnsOf(SHIPMENT_FILES);

/** The columns that a result file adds, so that it can be mended and sent back as it is. */
export const RESULT_COLUMNS = ['error', 'changedBy', 'changedAt'];
export const THEIRS = 'theirs:';

/** Semicolons are what spreadsheets write where a comma stands in numbers. No name of a column has either of them. */
export function delimiterOf(firstLine: string): Header['delimiter'] {
  return firstLine.split(';').length > firstLine.split(',').length ? ';' : ',';
}

/** Each field of a shipment once, in the file and in its result. */
export const MAX_COLUMNS = 200;

/** What the first line says that the cells are, or a fault. */
export function headerOf(names: readonly string[], delimiter: Header['delimiter']): Header {
  const columns = names.map((name, index) => {
    if (names.indexOf(name) !== index) throw fileFault('is there twice', { line: 1, column: name });
    return columnOf(name);
  });
  if (columns.every((column) => column === undefined))
    throw fileFault('has no column that can be imported', { line: 1 });
  return { delimiter, names, columns };
}

/** Whether only a result file has such a column. */
export function isOfResult(name: string): boolean {
  return RESULT_COLUMNS.includes(name) || name.startsWith(THEIRS);
}

function columnOf(name: string): Column | undefined {
  const column = COLUMNS.find(({ path }) => path === name);
  if (column !== undefined || isOfResult(name)) return column;
  if (name === '') throw fileFault('has a column without a name', { line: 1 });
  const paths = COLUMNS.map(({ path }) => path);
  throw fileFault(`is not a column of shipments${didYouMean(name, paths)}`, { line: 1, column: name });
}
