import { NoAnswerError } from './errors.js';
import { parsed } from './answers.js';
import { isObject } from './expected.js';
import type { CallOptions, Http } from './http.js';

export const FILE_TYPES = { csv: 'text/csv', jsonl: 'application/jsonl' };

/** CSV for spreadsheets, or JSON Lines. */
export type FileFormat = keyof typeof FILE_TYPES;

export interface FileOptions {
  /**
   * A CSV file for spreadsheets: with a byte order mark, which Excel needs to recognize UTF-8, and with dates and texts such as 02134 written
   * as `="02134"`, so that they stay as they are.
   */
  readonly excel?: boolean;
}

/** A snapshot of a whole list. `for await` iterates over its records; `file` returns it as a file. */
export class Export<R> implements AsyncIterable<R> {
  constructor(
    private readonly http: Http,
    private readonly path: string,
    private readonly query: CallOptions & object,
  ) {}

  /** The file as a stream of bytes. The stream fails if the export fails, or ends in the middle of a line. */
  async file(format: FileFormat, { excel = false }: FileOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const { signal, headers, ...query } = this.query;
    return this.http.file({
      path: this.path,
      query: { ...query, ...(excel && { excel: 'true' }) },
      types: [FILE_TYPES[format]],
      signal,
      headers,
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<R, void, undefined> {
    const reader = (await this.file('jsonl')).getReader();
    const decoder = new TextDecoder();
    try {
      let unfinished = '';
      for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
        const lines = (unfinished + decoder.decode(chunk.value, { stream: true })).split('\n');
        unfinished = lines.pop() ?? '';
        for (const line of lines) yield this.recordIn(line);
      }
    } finally {
      // If the caller stops early, the service stops reading.
      await reader.cancel().catch(() => undefined);
    }
  }

  private recordIn(line: string): R {
    const record = parsed(line);
    if (!isObject(record)) throw new NoAnswerError(`A line in the response to GET ${this.path} is no record`);
    return record as R;
  }
}
