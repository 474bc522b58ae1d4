import { cellOf } from './cells.js';
import type { Column } from './columns.js';
import { BYTE_ORDER_MARK, csvLines } from './csv.js';
import { FILE_TYPES, type FileRequest } from './file-request.js';

export interface ExportFile {
  readonly headers: Record<string, string>;
  /** Written before the first record. */
  readonly beginning: string;
  readonly lines: (records: readonly string[]) => string;
}

/** The format of an export of records that PostgreSQL renders as JSON. */
export function exportFile(
  collection: string,
  columns: readonly Column[],
  { format, excel }: Pick<FileRequest, 'format' | 'excel'>,
): ExportFile {
  const name = `${collection}-${new Date().toISOString().slice(0, 10)}.${format}`;
  const headers = {
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'no-store, no-transform',
  };
  if (format === 'jsonl') {
    return {
      headers: { ...headers, 'Content-Type': `${FILE_TYPES.jsonl}; charset=utf-8` },
      beginning: '',
      lines: (records) => records.map((json) => `${json}\n`).join(''),
    };
  }
  return {
    headers: { ...headers, 'Content-Type': `${FILE_TYPES.csv}; charset=utf-8; header=present` },
    beginning: (excel ? BYTE_ORDER_MARK : '') + csvLines([columns.map(({ path }) => path)]),
    lines: (records) => csvLines(records.map((json) => cellsOf(JSON.parse(json) as object, columns))),
  };
}

function cellsOf(record: object, columns: readonly Column[]): string[] {
  return columns.map((column) => cellOf(record, column));
}
