import { numberIn } from '../validation/rules.js';
import type { Column } from './columns.js';

/**
 * How values look in a cell, so that they come back exactly as they were:
 * - No value is an empty cell.
 * - A text that a spreadsheet would run as a formula gets one `'` in front, in every column.
 * - In a column of texts so does a text that begins with `'`, and the empty text, because an empty cell means no value.
 * - Everything else, numbers and dates among them, is written as the API writes it.
 */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_GUARD = { text: /^(?:$|[=+\-@\t\r'])/, other: /^'*[=+\-@\t\r]/ };
const GUARD = "'";

/** The value of a record in a column, as a file shows it. A record without a part has no values in it. */
export function cellOf(record: object, { names, kind }: Column): string {
  let value: unknown = record;
  for (const name of names) value = (value as Readonly<Record<string, unknown>> | null)?.[name];
  if (typeof value === 'number') return value.toString();
  if (typeof value !== 'string') return '';
  return NEEDS_GUARD[kind === 'text' ? 'text' : 'other'].test(value) ? GUARD + value : value;
}

/**
 * The value that a cell stands for: null, a text or a number, as the body of a request would have it. What is no number in a column of
 * numbers stays a text, which breaks the rule of the field.
 */
export function valueOf(cell: string, { kind }: Column): string | number | null {
  if (cell === '') return null;
  if (kind === 'text') return unguarded(cell);
  const written = NEEDS_GUARD.other.test(cell) ? unguarded(cell) : cell;
  return kind === 'number' ? numberIn(written) : written;
}

/** A cell as a file had it, guarded where the file did not guard it. It stands for the same value. */
export function guardedCell(cell: string): string {
  return FORMULA.test(cell) ? GUARD + cell : cell;
}

function unguarded(cell: string): string {
  return cell.startsWith(GUARD) ? cell.slice(GUARD.length) : cell;
}
