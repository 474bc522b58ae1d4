import type { Column } from '../../files/columns.js';

/** A row as sent: its cells in the order of the header, or its JSON. */
export interface FileRow {
  /** The line on which it begins, starting at 1. */
  readonly line: number;
  readonly sent: readonly string[] | object;
  /** Absent in JSON lines. */
  readonly header?: Header;
}

/** The first line of a CSV file. */
export interface Header {
  readonly delimiter: ',' | ';';
  /** The names in the file. */
  readonly names: readonly string[];
  /** The column of each cell; undefined for columns of a result file, which are ignored. */
  readonly columns: readonly (Column | undefined)[];
}

export const MAX_ROWS = 100_000;
export const MAX_FILE_BYTES = 50 * 1024 * 1024;
/** More than 73 kB, the size of a row with all texts at maximum length and escaped. Hundreds of rows are in memory at a time. */
export const MAX_ROW_BYTES = 128 * 1024;
