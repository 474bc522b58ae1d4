import type { ListedRecord } from '../records/records.js';
import { cellOf, spreadsheetCellOf } from './cells.js';
import type { Column } from './columns.js';
import { BYTE_ORDER_MARK, csvLines } from './csv.js';
import { FILE_TYPES, type FileFormat } from '../http/media-types.js';
import type { FileRequest } from './file-request.js';

export interface ExportFile {
  readonly headers: Record<string, string>;
  /** Written before the first record. */
  readonly beginning: string;
  readonly lines: (records: readonly ListedRecord[]) => string;
}

export function exportFile(
  collection: string,
  columns: readonly Column[],
  { format, excel }: Pick<FileRequest, 'format' | 'excel'>,
): ExportFile {
  const headers = fileHeaders(`${collection}-${new Date().toISOString().slice(0, 10)}`, format);
  if (format === 'jsonl') {
    return { headers, beginning: '', lines: (records) => records.map((record) => `${record.json()}\n`).join('') };
  }
  const write = excel ? spreadsheetCellOf : cellOf;
  return {
    headers,
    beginning: (excel ? BYTE_ORDER_MARK : '') + csvLines([columns.map(({ path }) => path)]),
    lines: (records) => {
      const values = records.map((record) => record.values());
      return csvLines(values.map((record) => columns.map((column) => write(record, column))));
    },
  };
}

/** The headers of a file that is sent; `name` is without its extension. */
export function fileHeaders(name: string, format: FileFormat): Record<string, string> {
  return {
    'Content-Type': `${FILE_TYPES[format]}; charset=utf-8${format === 'csv' ? '; header=present' : ''}`,
    'Content-Disposition': `attachment; filename="${name}.${format}"`,
    'Cache-Control': 'no-store, no-transform',
  };
}
