import { numberIn } from '../validation/rules.js';
import type { Column } from './columns.js';

/**
 * How values are written to cells, so that an import reads them back unchanged:
 * - In a file for spreadsheets, a text that one would turn into a number, a date, a time or a truth value is written as `="02134"`, a formula
 *   for a text. No other cell begins with `=`.
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

/** The longest text in a formula of Excel. */
const MAX_FORMULA_TEXT = 255;

const FORMULA_FOR_TEXT = /^="([^"]*)"$/;

/** Integers of up to 11 digits are displayed as they are. */
const PLAIN_INTEGER = /^(?:0|[1-9]\d{0,10})$/;
const NUMBER_CHARACTERS = /^[\p{L}\d.,:/'’()%$€£¥ +-]+$/u;

/** Exponents, times, and the beginnings of names of months in the languages of spreadsheets. */
const NUMBER_WORD =
  /^(?:[etz]|[ap]m?|(?:jan|ene|led|feb|f[eé]v|úno|mar|maa|mrt|mär|bře|apr|abr|avr|kwi|dub|ma[ijy]|mag|mei|kvě|jun|jui|giu|cze|čer|jul|lug|lip|aug|ago|ao[uû]|sie|srp|sep|set|wrz|zář|oct|okt|ott|out|paź|říj|nov|lis|d[eé]c|dez|dic|gru|pro|sty|lut)\p{L}*)$/iu;
const TRUTH_VALUE = /^(?:true|false|wahr|falsch)$/i;

/** The cell for a record's value; empty if the record lacks the part. */
export function cellOf(record: object, { names, kind }: Column): string {
  let value: unknown = record;
  for (const name of names) value = (value as Readonly<Record<string, unknown>> | null)?.[name];
  if (typeof value === 'number') return value.toString();
  if (typeof value !== 'string') return '';
  return kind === 'text' ? textCell(value) : guarded(value, NEEDS_GUARD.other);
}

/** The cell for a record's value in a file for spreadsheets. An import ignores timestamps. */
export function spreadsheetCellOf(record: object, column: Column): string {
  const cell = cellOf(record, column);
  return column.kind === 'number' || column.kind === 'timestamp' ? cell : unformattedCell(cell);
}

/** A cell that a spreadsheet leaves as it is. */
export function unformattedCell(cell: string): string {
  return isReformatted(cell) ? `="${cell}"` : cell;
}

export function textCell(text: string): string {
  return guarded(text, NEEDS_GUARD.text);
}

/** Parses a cell to null, a string or a number, as in a body. Any other text in a number column stays a string and fails validation. */
export function valueOf(written: string, column: Column): string | number | null {
  return valueOfPlain(textInFormula(written) ?? written, column);
}

function valueOfPlain(cell: string, { kind }: Column): string | number | null {
  if (cell === '') return null;
  if (kind === 'text') return unguarded(cell, NEEDS_GUARD.text);
  const written = unguarded(cell, NEEDS_GUARD.other);
  return kind === 'number' ? numberIn(written) : written;
}

/** Adds the formula guard to a cell unless the file had it. The value stays the same. */
export function guardedCell(cell: string): string {
  return textInFormula(cell) === undefined ? guarded(cell, FORMULA) : cell;
}

/** The text in a cell such as `="02134"`, which only a text that spreadsheets reformat has. */
function textInFormula(cell: string): string | undefined {
  const text = FORMULA_FOR_TEXT.exec(cell)?.[1];
  return text !== undefined && isReformatted(text) ? text : undefined;
}

/** Whether a spreadsheet in some language may take a text for a number, a date, a time or a truth value. Phone numbers count, too. */
function isReformatted(text: string): boolean {
  if (text.length > MAX_FORMULA_TEXT || text.startsWith(GUARD) || PLAIN_INTEGER.test(text)) return false;
  // Spreadsheets read full-width digits and any kind of space.
  const plain = text.normalize('NFKC');
  if (TRUTH_VALUE.test(plain)) return true;
  const isNumberLike = /\d/.test(plain) && NUMBER_CHARACTERS.test(plain);
  return isNumberLike && (plain.match(/\p{L}+/gu) ?? []).every((word) => NUMBER_WORD.test(word));
}

function guarded(text: string, needsGuard: RegExp): string {
  return needsGuard.test(text) ? GUARD + text : text;
}

/** Removes an apostrophe only where an export would have put it. */
function unguarded(cell: string, needsGuard: RegExp): string {
  const text = cell.slice(GUARD.length);
  return cell.startsWith(GUARD) && needsGuard.test(text) ? text : cell;
}
