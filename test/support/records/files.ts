import { parse } from 'csv-parse/sync';
import { valueOf } from '../../../src/files/cells.js';
import type { Column } from '../../../src/files/columns.js';
import type { Json } from '../http/api.js';

export const CSV = { Accept: 'text/csv' };
export const JSON_LINES = { Accept: 'application/jsonl' };

/** The text of a response, including a byte order mark. */
export async function textOf(answer: Promise<Response>): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await (await answer).arrayBuffer());
}

export function recordsOf(jsonLines: string): Json[] {
  return jsonLines
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** The values of a CSV file by row and column. */
export function valuesOf(csv: string, columns: readonly Column[]): unknown[][] {
  const [header, ...rows] = parse(csv, { bom: true, record_delimiter: '\r\n' });
  expect(header).toEqual(columns.map(({ path }) => path));
  return rows.map((cells) => columns.map((column, at) => valueOf(cells[at] ?? '', column)));
}

/** The values of a record in these columns. */
export function valuesIn(record: Json, columns: readonly Column[]): unknown[] {
  return columns.map(({ names }) => names.reduce((value, name) => value?.[name] ?? null, record));
}
