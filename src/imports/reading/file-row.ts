import type { Column } from '../../files/columns.js';

/** The row of a file as it was sent: its cells in the order of the header, or its JSON. */
export interface FileRow {
  /** Where it begins; the first line of a file is 1. */
  readonly line: number;
  readonly sent: readonly string[] | object;
}

/** The first line of a CSV file. */
export interface Header {
  readonly delimiter: ',' | ';';
  /** The names as the file has them. */
  readonly names: readonly string[];
  /** The column that each cell belongs to; undefined for those that only a result file has, which are passed over. */
  readonly columns: readonly (Column | undefined)[];
}

export const MAX_ROWS = 100_000;
export const MAX_FILE_BYTES = 50 * 1024 * 1024;
/** More than a row takes whose texts are all as long as they may be, and escaped: 73 kB. Hundreds of rows are in memory at a time. */
export const MAX_ROW_BYTES = 128 * 1024;
