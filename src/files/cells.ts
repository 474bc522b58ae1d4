import { numberIn } from '../validation/rules.js';
import type { Column } from './columns.js';

/**
 * How values are written to cells, so that an import reads them back unchanged:
 * - A missing value is an empty cell.
 * - A text that a spreadsheet would run as a formula is prefixed with `'`, in every column. Spreadsheets for Chinese and Japanese also run
 *   full-width formulas.
 * - In text columns, so is the empty text, because an empty cell means no value.
 * - So is each of these with apostrophes in front, so that an import can tell a prefix from an apostrophe of the text ('s-Hertogenbosch).
 * - Everything else, such as numbers and dates, has the same format as in the API.
 */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;
const NEEDS_GUARD = { text: /^'*(?:$|[=+\-@＝＋－＠\t\r\n])/, other: /^'*[=+\-@＝＋－＠\t\r\n]/ };
const GUARD = "'";

/** The cell for a record's value; empty if the record lacks the part. */
export function cellOf(record: object, { names, kind }: Column): string {
  let value: unknown = record;
  for (const name of names) value = (value as Readonly<Record<string, unknown>> | null)?.[name];
  if (typeof value === 'number') return value.toString();
  if (typeof value !== 'string') return '';
  return kind === 'text' ? textCell(value) : guarded(value, NEEDS_GUARD.other);
}

/** The cell for a text. */
export function textCell(text: string): string {
  return guarded(text, NEEDS_GUARD.text);
}

/**
 * Parses a cell to null, a string or a number, as in a request body. A non-number in a number column stays a string and fails
 * validation.
 */
export function valueOf(cell: string, { kind }: Column): string | number | null {
  if (cell === '') return null;
  if (kind === 'text') return unguarded(cell, NEEDS_GUARD.text);
  const written = unguarded(cell, NEEDS_GUARD.other);
  return kind === 'number' ? numberIn(written) : written;
}

/** Adds the formula guard to a cell unless the file had it. The value stays the same. */
export function guardedCell(cell: string): string {
  return guarded(cell, FORMULA);
}

function guarded(text: string, needsGuard: RegExp): string {
  return needsGuard.test(text) ? GUARD + text : text;
}

/** Removes an apostrophe only where an export would have put it. */
function unguarded(cell: string, needsGuard: RegExp): string {
  const text = cell.slice(GUARD.length);
  return cell.startsWith(GUARD) && needsGuard.test(text) ? text : cell;
}
