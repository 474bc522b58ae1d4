import { pipeline } from 'node:stream';
import { CsvError, parse, type InfoField } from 'csv-parse';
import type { Problem } from '../../problem/problem.js';
import { fileFault, type FileRow, type Header, MAX_ROW_BYTES } from './file-format.js';
import { delimiterOf, headerOf, MAX_COLUMNS } from './header.js';

const LINE_FEED = 0x0a;
const LINE_BREAK = /\r\n|\r|\n/g;

/** The output of csv-parse with `info`. */
interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly empty_lines: number };
}

const OPTIONS = {
  bom: true,
  info: true,
  max_record_size: MAX_ROW_BYTES,
  record_delimiter: ['\r\n', '\n', '\r'],
  // cellsOf checks the number of cells instead, to report the line.
  relax_column_count: true,
  skip_empty_lines: true,
};

/** Parses CSV (RFC 4180, with commas, semicolons or tabs) without empty rows. `read` is called again for the line of a fault. */
export async function* csvRows(
  read: () => AsyncIterable<Buffer>,
  wasRead: boolean,
): AsyncGenerator<FileRow, void, undefined> {
  const beginning = await firstLineOf(read());
  const delimiter = delimiterOf(beginning);
  // Counting columns makes csv-parse four times slower, so only the first pass does it.
  const limit = wasRead ? {} : { cast: bounded };
  const parser = pipeline(read(), parse({ ...OPTIONS, ...limit, delimiter }), () => undefined);
  let header: Header | undefined;
  let line = 1;
  let emptyLines = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      line += info.empty_lines - emptyLines;
      emptyLines = info.empty_lines;
      if (header === undefined) header = headerOf(withoutEmptyEnd(record, 1), delimiter);
      else if (record.some((cell) => cell !== '')) yield { line, header, sent: complete(record, header, line) };
      line += 1 + breaksIn(record);
    }
  } catch (error) {
    throw error instanceof CsvError ? await faultOf(error, namesIn(beginning, delimiter), read) : error;
  }
  if (header === undefined) throw fileFault('is empty. Its first line must contain the column names');
}

/** Stops at the column limit: a row of delimiters could have millions of columns. */
function bounded(cell: string, { index }: InfoField): string {
  if (index >= MAX_COLUMNS) throw fileFault(`has a row with more than ${MAX_COLUMNS} columns`);
  return cell;
}

/** Spreadsheets also save columns at the end that were used once and are empty now. */
function withoutEmptyEnd(record: readonly string[], atLeast: number): readonly string[] {
  return record.slice(0, Math.max(atLeast, record.findLastIndex((cell) => cell !== '') + 1));
}

function complete(sent: readonly string[], { names }: Header, line: number): readonly string[] {
  const record = sent.length > names.length ? withoutEmptyEnd(sent, names.length) : sent;
  if (record.every((cell, at) => cell === names[at])) throw fileFault('the row is the header again', { line });
  if (record.length === names.length) return record;
  throw fileFault(`the row has ${record.length} cells, but the header has ${names.length}`, { line });
}

function breaksIn(record: readonly string[]): number {
  return record.reduce((count, cell) => count + (cell.match(LINE_BREAK)?.length ?? 0), 0);
}

/** The first line, up to the maximum row length. */
async function firstLineOf(text: AsyncIterable<Buffer>): Promise<string> {
  let read = Buffer.alloc(0);
  for await (const chunk of text) {
    read = Buffer.concat([read, chunk]);
    if (read.includes(LINE_FEED) || read.length > MAX_ROW_BYTES) break;
  }
  return read.toString('utf8').split(/[\r\n]/, 1)[0] ?? '';
}

/** For a fault that occurs before the header is parsed. */
function namesIn(firstLine: string, delimiter: string): readonly string[] {
  return firstLine.split(delimiter).map((name) => name.replace(/^\uFEFF?"?|"$/g, ''));
}

/** Describes an error of csv-parse, with the line on which the cell begins. */
async function faultOf(error: CsvError, names: readonly string[], read: () => AsyncIterable<Buffer>): Promise<Problem> {
  const { code, bytes, column } = error as CsvError & { readonly bytes: number; readonly column?: unknown };
  const line = await lineAt(bytes, read());
  if (code === 'CSV_MAX_RECORD_SIZE') return fileFault(`the row is longer than ${MAX_ROW_BYTES} bytes`, { line });
  if (code === 'CSV_QUOTE_NOT_CLOSED') return fileFault('a quote is opened here but never closed', { line });
  const message = 'a quote occurs inside an unquoted cell. Quote the cell, and double each quote in it';
  return fileFault(message, { line, column: typeof column === 'number' ? names[column] : undefined });
}

async function lineAt(position: number, text: AsyncIterable<Buffer>): Promise<number> {
  let line = 1;
  let start = 0;
  for await (const chunk of text) {
    for (const byte of chunk.subarray(0, Math.max(0, position - start))) if (byte === LINE_FEED) line += 1;
    start += chunk.length;
    if (start >= position) break;
  }
  return line;
}
