import { numberIn } from '../schema/rules.js';
import type { Column } from './columns.js';

/**
 * How values look in a cell, so that they come back exactly as they were:
 * - No value is an empty cell.
 * - A text that a spreadsheet would take for a formula or for a mark of its own gets one `'` in front. The empty text is such a text,
 *   because an empty cell already says something else: it is written as `'`.
 * - Everything else, numbers and dates among them, is written as the API writes it.
 */
const NEEDS_GUARD = /^(?:$|[=+\-@\t\r'])/;
const GUARD = "'";

/** The value of a record in a column, as a file shows it. A record without a part has no values in it. */
export function cellOf(record: object, { names, kind }: Column): string {
  let value: unknown = record;
  for (const name of names) value = (value as Readonly<Record<string, unknown>> | null)?.[name];
  if (typeof value === 'number') return value.toString();
  if (typeof value !== 'string') return '';
  return kind === 'text' ? guarded(value) : value;
}

/**
 * The value that a cell stands for: null, a text or a number, as the body of a request would have it. What is no number in a column of
 * numbers stays a text, which breaks the rule of the field.
 */
export function valueOf(cell: string, { kind }: Column): string | number | null {
  if (cell === '') return null;
  if (kind === 'text') return unguarded(cell);
  return kind === 'number' ? numberIn(cell) : cell;
}

function guarded(text: string): string {
  return NEEDS_GUARD.test(text) ? GUARD + text : text;
}

function unguarded(cell: string): string {
  return cell.startsWith(GUARD) ? cell.slice(GUARD.length) : cell;
}
