import type { Column } from '../../files/columns.js';
import { Problem, shortened } from '../../problem/problem.js';
import { MALFORMED_FILE } from '../import-problems.js';

/** A row as sent: its cells in the order of the header, or its JSON. */
export interface FileRow {
  /** The line on which it begins, starting at 1. */
  readonly line: number;
  readonly sent: readonly string[] | object;
  /** Absent in JSON lines. */
  readonly header?: Header;
}

export const DELIMITERS = [',', ';', '\t'] as const;

/** The first line of a CSV file. */
export interface Header {
  readonly delimiter: (typeof DELIMITERS)[number];
  readonly names: readonly string[];
  /** The column of each cell; undefined for columns of a result file, which are ignored. */
  readonly columns: readonly (Column | undefined)[];
}

export const MAX_ROWS = 100_000;
export const MAX_FILE_BYTES = 50 * 1024 * 1024;
/** More than 73 kB, the size of a row with all texts at maximum length and escaped. Hundreds of rows are in memory at a time. */
export const MAX_ROW_BYTES = 128 * 1024;

const MAX_NAME_LENGTH = 80;

/** 400 for an unreadable file, with the position. Faults of single rows are reported with the rows. */
export function fileFault(
  message: string,
  { line, column }: { line?: number; column?: string | undefined } = {},
): Problem {
  const name = column && shortened(column, MAX_NAME_LENGTH);
  const place = [line && `Line ${line}`, name !== undefined && `column ${JSON.stringify(name)}`].filter(Boolean);
  const detail = place.length === 0 ? `The file ${message}.` : `${place.join(', ')}: ${message}.`;
  return new Problem(MALFORMED_FILE, `${detail} Nothing was stored.`, { members: { line, column: name } });
}
