import { Problem } from '../../problem/problem.js';
import type { UploadedFile } from '../../http/uploaded-file.js';
import { formatOf } from '../../http/media-types.js';
import { checkedText } from './checked-text.js';
import { csvRows } from './csv-rows.js';
import { fileFault, type FileRow, MAX_ROWS } from './file-format.js';
import { jsonRows } from './json-rows.js';

/** Yields the rows of a file, or throws a 400 with the position of the fault. Skips some checks for a file that was read before. */
export async function* readFile(file: UploadedFile, wasRead = false): AsyncGenerator<FileRow, void, undefined> {
  const text = checkedText(file.read());
  let rows = 0;
  try {
    for await (const row of formatOf(file.type) === 'jsonl'
      ? jsonRows(text)
      : csvRows(text, () => file.read(), wasRead)) {
      rows += 1;
      if (rows > MAX_ROWS) throw new Problem('TOO_LARGE', `A file must not have more than ${MAX_ROWS} rows.`);
      yield row;
    }
  } catch (error) {
    if (file.isClosed) throw new Problem('MALFORMED_REQUEST', 'The client disconnected before its file was read.');
    throw error;
  }
  if (rows === 0) throw fileFault('has no rows');
}
