import { isCalendarDate } from '../../validation/dates.js';

export const DATE_ORDERS = ['MDY', 'DMY', 'YMD'] as const;
export const DECIMALS = ['.', ','] as const;

type DateOrder = (typeof DATE_ORDERS)[number];
type Decimal = (typeof DECIMALS)[number];

/** How a spreadsheet writes dates and numbers, which depends on its language. Without a member, any way is possible. */
export interface Notation {
  readonly dates?: DateOrder;
  readonly decimal?: Decimal;
}

export type Reading =
  | { readonly dates: DateOrder; readonly value: string }
  | { readonly decimal: Decimal; readonly value: number };

const ordersOf = ({ dates }: Notation): readonly DateOrder[] => (dates === undefined ? DATE_ORDERS : [dates]);
const decimalsOf = ({ decimal }: Notation): readonly Decimal[] => (decimal === undefined ? DECIMALS : [decimal]);

/** What a cell of a column of dates may mean, in each order that fits. */
export function datesIn(cell: string, notation: Notation): readonly Reading[] {
  return ordersOf(notation).flatMap((dates) => {
    // Hardly anybody writes 26.12.01 for the first of December.
    if (dates === 'YMD' && notation.dates === undefined && /^\d\d\./.test(cell)) return [];
    const value = isoDate(dateParts(cell, dates));
    return value === undefined ? [] : [{ dates, value }];
  });
}

/** What a cell of a column of numbers may mean, with each decimal sign that fits. */
export function numbersIn(cell: string, notation: Notation): readonly Reading[] {
  return decimalsOf(notation).flatMap((decimal) => {
    const value = Number(plainNumber(cell, decimal)?.text ?? NaN);
    return Number.isFinite(value) ? [{ decimal, value }] : [];
  });
}

/** Whether a spreadsheet in this notation may have written a cell for a value that it took for a date, a number or a text. */
export function isSpellingOf(value: string | number, cell: string, notation: Notation): boolean {
  const text = String(value);
  return (
    withLineFeeds(text) === withLineFeeds(cell) ||
    decimalsOf(notation).some((decimal) => isSameNumber(plainNumber(text, decimal), plainNumber(cell, decimal))) ||
    ordersOf(notation).some((order) => isSameDate(dateParts(text, order), dateParts(cell, order)))
  );
}

/** Spreadsheets keep only line feeds inside of a cell. */
function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

interface PlainNumber {
  /** As in JavaScript. */
  readonly text: string;
  /** Its digits from the first that is not zero. */
  readonly digits: string;
  readonly hasExponent: boolean;
}

/** Longer texts are no numbers of spreadsheets. */
const MAX_NUMBER_LENGTH = 40;

/** Digits, with or without separators between thousands, a fraction and an exponent. */
const NUMBER = {
  '.': /^(\d+|[1-9]\d{0,2}(?:([, \u00A0\u202F'’])\d{3})(?:\2\d{3})*)(?:\.(\d+))?(?:e([+-]?\d{1,4}))?$/i,
  ',': /^(\d+|[1-9]\d{0,2}(?:([. \u00A0\u202F'’])\d{3})(?:\2\d{3})*)(?:,(\d+))?(?:e([+-]?\d{1,4}))?$/i,
} as const satisfies Readonly<Record<Decimal, RegExp>>;

function plainNumber(written: string, decimal: Decimal): PlainNumber | undefined {
  if (written.length > MAX_NUMBER_LENGTH) return undefined;
  const [, grouped, , fraction = '', exponent] = NUMBER[decimal].exec(written) ?? [];
  if (grouped === undefined) return undefined;
  const whole = grouped.replace(/\D/g, '');
  const digits = (whole + fraction).replace(/^0+/, '');
  return { text: `${whole}.${fraction}e${exponent ?? 0}`, digits, hasExponent: exponent !== undefined };
}

/** Spreadsheets calculate with 15 digits, and round to fewer when they write an exponent. */
const MAX_DIGITS = 15;

function isSameNumber(value: PlainNumber | undefined, cell: PlainNumber | undefined): boolean {
  if (value === undefined || cell === undefined) return false;
  const { digits, hasExponent } = cell;
  if (digits.replace(/0+$/, '').length > MAX_DIGITS) return false;
  const precision = hasExponent ? Math.max(digits.length, 1) : MAX_DIGITS;
  return Number(value.text).toPrecision(precision) === Number(cell.text).toPrecision(precision);
}

interface DateParts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
}

/** Three numbers between points, slashes or hyphens, as 12/1/2026, 01.12.26 or 2026. 12. 1. */
const DATE = /^(\d{1,4})([./-]) ?(\d{1,2})\2 ?(\d{1,4})\.?$/;

/** A year of four digits in front is followed by the month in every notation. */
function dateParts(written: string, order: DateOrder): DateParts | undefined {
  const [, first = '', , second = '', third = ''] = DATE.exec(written) ?? [];
  if (first.length === 4 || order === 'YMD') return partsOf(first, second, third);
  return order === 'MDY' ? partsOf(third, first, second) : partsOf(third, second, first);
}

function partsOf(year: string, month: string, day: string): DateParts | undefined {
  const isDate = /^\d\d(\d\d)?$/.test(year) && /^\d\d?$/.test(month) && /^\d\d?$/.test(day);
  return isDate ? { year, month: month.padStart(2, '0'), day: day.padStart(2, '0') } : undefined;
}

function isSameDate(value: DateParts | undefined, cell: DateParts | undefined): boolean {
  if (value === undefined || cell === undefined) return false;
  const digits = Math.min(value.year.length, cell.year.length);
  const isSameYear = value.year.slice(-digits) === cell.year.slice(-digits);
  return isSameYear && value.month === cell.month && value.day === cell.day;
}

/** Years that spreadsheets give to cells that are no dates: zero is a day of 1899 or 1900. */
const NO_YEARS = ['1899', '1900'];

export function isSmallNumber(cell: string): boolean {
  const isAsInApi = /^\d{4}-\d\d-\d\d$/.test(cell);
  return !isAsInApi && DATE_ORDERS.some((order) => NO_YEARS.includes(dateParts(cell, order)?.year ?? ''));
}

/** Two digits are a year before 2050: a later one is a day of 1899 again. */
function isoDate(parts: DateParts | undefined): string | undefined {
  if (parts === undefined || NO_YEARS.includes(parts.year) || (parts.year.length === 2 && parts.year >= '50')) {
    return undefined;
  }
  const date = `${parts.year.padStart(4, '20')}-${parts.month}-${parts.day}`;
  return isCalendarDate(date) ? date : undefined;
}
