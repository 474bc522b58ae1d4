import { valueOf } from '../files/cells.js';
import type { Column } from '../files/columns.js';
import type { FileRow } from './reading/file-format.js';
import { datesIn, numbersIn, type Reading } from './reading/notations.js';

/** The columns whose values spreadsheets write in several ways. */
export const READERS: Partial<Readonly<Record<Column['kind'], typeof datesIn>>> = { date: datesIn, number: numbersIn };

/** Dates, and numbers from a thousand on, as the API writes them. */
const AS_EXPORTED: Partial<Readonly<Record<Column['kind'], RegExp>>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  number: /^\d{4,}$/,
};

/** How the dates and numbers in each column of a file are written. Sees all rows before any of them is read. */
export class ColumnForms {
  /** Columns with cells as the API writes them. */
  private readonly exported = new Set<string>();
  /** By column, the notations in which each of the other cells can be read. */
  private readonly common = new Map<string, readonly string[]>();
  /** By column, the notations in which the cells that were taken for unchanged are unchanged. */
  private readonly unchanged = new Map<string, readonly string[]>();

  see({ header, sent }: FileRow): void {
    header?.columns.forEach((column, at) => {
      const readingsIn = column && READERS[column.kind];
      if (column === undefined || readingsIn === undefined) return;
      const cell = String(valueOf((sent as readonly string[])[at] ?? '', column) ?? '');
      if (AS_EXPORTED[column.kind]?.test(cell)) this.exported.add(column.path);
      else narrow(this.common, column, readingsIn(cell, {}).map(notationOf));
    });
  }

  /**
   * Whether a cell that is unchanged in some notations, and changed in others, is unchanged. A spreadsheet reformats all cells of a column in
   * one notation. A cell that does not fit to the others was written by a person.
   */
  isUnchanged(column: Column, notations: readonly string[]): boolean {
    const { path } = column;
    const common = this.common.get(path) ?? [];
    if (this.exported.has(path) && common.some((each) => !notations.includes(each))) return false;
    const before = this.unchanged.get(path) ?? common;
    const fitting = notations.filter((each) => common.includes(each) && before.includes(each));
    if (fitting.length > 0) this.unchanged.set(path, fitting);
    return fitting.length > 0;
  }
}

/** Keeps the notations of a column that are among these, unless there are none. */
function narrow(notations: Map<string, readonly string[]>, { path }: Column, among: readonly string[]): void {
  if (among.length === 0) return;
  const before = notations.get(path);
  if (before?.every((each) => among.includes(each))) return;
  notations.set(path, before?.filter((each) => among.includes(each)) ?? among);
}

/** As in the query of an upload. */
export function notationOf(reading: Reading): string {
  return 'dates' in reading ? `dates=${reading.dates}` : `decimal=${reading.decimal}`;
}
