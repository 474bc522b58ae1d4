import { NoAnswerError } from './errors.js';
import type { CallOptions, Http } from './http.js';

const TYPES = { csv: 'text/csv', jsonl: 'application/jsonl' };

/** CSV for spreadsheets, or JSON Lines. */
export type FileFormat = keyof typeof TYPES;

export interface FileOptions {
  /** Adds a byte order mark to a CSV file, which Excel needs to recognize UTF-8. */
  readonly excel?: boolean;
}

/** A snapshot of a whole list. `for await` iterates over its records; `file` returns it as a file. */
export class Export<R> implements AsyncIterable<R> {
  constructor(
    private readonly http: Http,
    private readonly path: string,
    private readonly query: CallOptions & object,
  ) {}

  /** The file as a stream of bytes. The stream fails if the export fails. */
  async file(format: FileFormat, { excel = false }: FileOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const { signal, headers, ...query } = this.query;
    const { body } = await this.http.stream({
      method: 'GET',
      path: this.path,
      query: { ...query, ...(excel && { excel: 'true' }) },
      signal,
      headers: { ...headers, Accept: TYPES[format] },
    });
    if (body === null) throw new NoAnswerError(`The response to GET ${this.path} has no body`, undefined);
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
      // If the caller stops early, the service stops reading.
      await reader.cancel().catch(() => undefined);
    }
  }

  private async next(reader: ReadableStreamDefaultReader<Uint8Array>) {
    try {
      return await reader.read();
    } catch (cause) {
      this.query.signal?.throwIfAborted();
      throw new NoAnswerError(`The response to GET ${this.path} was interrupted`, undefined, { cause });
    }
  }
}
