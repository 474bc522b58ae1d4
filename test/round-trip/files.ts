import { createReadStream, createWriteStream, openAsBlob, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { csvLines } from '../../src/files/csv.js';
import { MOST_FILE_BYTES } from '../../src/imports/reading/file-row.js';

export async function save(stream: ReadableStream<Uint8Array>, path: string): Promise<void> {
  await pipeline(Readable.fromWeb(stream as never), createWriteStream(path));
}

export async function writeJsonLines(path: string, objects: Iterable<object>): Promise<void> {
  await pipeline(
    Readable.from(objects).map((object: object) => `${JSON.stringify(object)}\n`),
    createWriteStream(path),
  );
}

/** A CSV file with one cell of each row changed. */
export async function editCsv(
  from: string,
  to: string,
  column: string,
  edit: (cell: string, row: number) => string,
): Promise<void> {
  let at = -1;
  let row = 0;
  await pipeline(
    createReadStream(from).pipe(parse({ bom: true, record_delimiter: '\r\n' })),
    async function* (records: AsyncIterable<string[]>) {
      for await (const cells of records) {
        if (at < 0) at = cells.indexOf(column);
        else cells[at] = edit(cells[at] ?? '', row++);
        yield csvLines([cells]);
      }
    },
    createWriteStream(to),
  );
}

/** The parts of a file that an import takes: whole lines, each part as long as it may be. */
export async function partsOf(path: string): Promise<Blob[]> {
  const blob = await openAsBlob(path);
  const { size } = statSync(path);
  const parts: Blob[] = [];
  const handle = await open(path);
  for (let from = 0; from < size;) {
    const to = from + MOST_FILE_BYTES >= size ? size : await lastLineEnd(handle, from + MOST_FILE_BYTES);
    parts.push(blob.slice(from, to));
    from = to;
  }
  await handle.close();
  return parts;
}

/** Where the last line ends that ends before a position. */
async function lastLineEnd(handle: Awaited<ReturnType<typeof open>>, position: number): Promise<number> {
  const length = 1_000_000;
  const { buffer } = await handle.read(Buffer.alloc(length), 0, length, position - length);
  return position - length + buffer.lastIndexOf(0x0a) + 1;
}
