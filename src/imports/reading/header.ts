import { columnsOf, type Column } from '../../files/columns.js';
import { didYouMean } from '../../problem/nearest.js';
import { SHIPMENT_FILES } from '../../shipments/dto/shipment-fields.js';
import { DELIMITERS, fileFault, type Header } from './file-format.js';

export const COLUMNS: readonly Column[] = columnsOf(SHIPMENT_FILES);

/** Columns that a result file adds. An upload ignores them, so the file can be corrected and uploaded again. */
export const RESULT_COLUMNS = ['error', 'changedBy', 'changedAt'];
export const THEIRS = 'theirs:';

/** Spreadsheets use semicolons in locales with a decimal comma, and tabs in UTF-16. Column names contain none of them. */
export function delimiterOf(firstLine: string): Header['delimiter'] {
  const countOf = (delimiter: string) => firstLine.split(delimiter).length;
  return DELIMITERS.reduce((best, each) => (countOf(each) > countOf(best) ? each : best));
}

/** Room for each field of a shipment, in the file and in its result. */
export const MAX_COLUMNS = 200;

/** Parses the first line, or throws a fault. */
export function headerOf(names: readonly string[], delimiter: Header['delimiter']): Header {
  const columns = names.map((name, index) => {
    if (names.indexOf(name) !== index) throw fileFault('is a duplicate', { line: 1, column: name });
    return columnOf(name);
  });
  if (columns.every((column) => column === undefined)) throw fileFault('has no importable column', { line: 1 });
  return { delimiter, names, columns };
}

/** Whether the column is one that only a result file has. */
export function isOfResult(name: string): boolean {
  return RESULT_COLUMNS.includes(name) || name.startsWith(THEIRS);
}

/** The same for a member of a row in JSON Lines, where `theirs` is an object. */
export function isMemberOfResult(name: string): boolean {
  return RESULT_COLUMNS.includes(name) || name === 'theirs';
}

function columnOf(name: string): Column | undefined {
  const column = COLUMNS.find(({ path }) => path === name);
  if (column !== undefined || isOfResult(name)) return column;
  if (name === '') throw fileFault('has a column without a name', { line: 1 });
  const paths = COLUMNS.map(({ path }) => path);
  throw fileFault(`is not a column of shipments${didYouMean(name, paths)}`, { line: 1, column: name });
}
