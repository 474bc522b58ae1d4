import { NoAnswerError } from './errors.js';
import type { CallOptions, Http } from './http.js';

const TYPES = { csv: 'text/csv', jsonl: 'application/jsonl' };

/** A file with columns for spreadsheets, or one with a record in JSON on each line. */
export type FileFormat = keyof typeof TYPES;

export interface FileOptions {
  /** Begins a CSV file with a byte order mark, without which Excel does not recognize UTF-8. */
  readonly excel?: boolean;
}

/** A whole list as it is at one moment. `for await` goes through its records; `file` gives it as a file. */
export class Export<R> implements AsyncIterable<R> {
  constructor(
    private readonly http: Http,
    private readonly path: string,
    private readonly query: CallOptions & object,
  ) {}

  /** The bytes of the file, as they come. An export that fails in the middle makes the stream fail, too. */
  async file(format: FileFormat, { excel = false }: FileOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const { signal, headers, ...query } = this.query;
    const { body } = await this.http.stream({
      method: 'GET',
      path: this.path,
      query: { ...query, ...(excel && { excel: 'true' }) },
      signal,
      headers: { ...headers, Accept: TYPES[format] },
    });
    if (body === null) throw new NoAnswerError(`GET ${this.path} was answered without a body`, undefined);
    return body;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<R, void, undefined> {
    const reader = (await this.file('jsonl')).getReader();
    const decoder = new TextDecoder();
    try {
      let unfinished = '';
      for (let chunk = await this.next(reader); !chunk.done; chunk = await this.next(reader)) {
        const lines = (unfinished + decoder.decode(chunk.value, { stream: true })).split('\n');
        unfinished = lines.pop() ?? '';
        for (const line of lines) yield JSON.parse(line) as R;
      }
    } finally {
      // For one who has seen enough: the service stops reading.
      await reader.cancel().catch(() => undefined);
    }
  }

  private async next(reader: ReadableStreamDefaultReader<Uint8Array>) {
    try {
      return await reader.read();
    } catch (cause) {
      this.query.signal?.throwIfAborted();
      throw new NoAnswerError(`The answer to GET ${this.path} was broken off`, undefined, { cause });
    }
  }
}
