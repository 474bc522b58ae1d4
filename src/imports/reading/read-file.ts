import { Problem } from '../../problem/problem.js';
import type { UploadedFile } from './uploaded-file.js';
import { formatOf } from '../../http/media-types.js';
import { csvRows } from './csv-rows.js';
import { encodingOf, inUtf8 } from './encoding.js';
import { fileFault, type FileRow, MAX_ROWS } from './file-format.js';
import { jsonRows } from './json-rows.js';

type Rows = AsyncGenerator<FileRow, void, undefined>;

/** Reads a whole file, or throws a 400 with the position of the fault. Returns a function that reads it again, with fewer checks. */
export async function readWhole(file: UploadedFile, onRow: (row: FileRow) => void): Promise<() => Rows> {
  const isJson = formatOf(file.type) === 'jsonl';
  const encoding = await encodingOf(() => file.read(), isJson).catch((error: unknown) => explain(file, error));
  const text = () => inUtf8(file.read(), encoding);
  const rows = async function* (wasRead: boolean): Rows {
    try {
      yield* isJson ? jsonRows(text()) : csvRows(text, wasRead);
    } catch (error) {
      explain(file, error);
    }
  };
  let count = 0;
  for await (const row of rows(false)) {
    count += 1;
    if (count > MAX_ROWS) throw new Problem('TOO_LARGE', `A file must not have more than ${MAX_ROWS} rows.`);
    onRow(row);
  }
  if (count === 0) throw fileFault('has no rows');
  return () => rows(true);
}

function explain({ isClosed }: UploadedFile, error: unknown): never {
  if (isClosed) throw new Problem('MALFORMED_REQUEST', 'The client disconnected before its file was read.');
  throw error;
}
