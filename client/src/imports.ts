import { NoAnswerError } from './errors.js';
import type { CallOptions, Http, WriteCallOptions } from './http.js';
import type { List } from './list.js';
import { pause } from './pause.js';
import type { DryRun, Import, ImportRow, ImportRowsQuery } from './records.js';
import { listOf } from './versioned-records.js';

const TYPES = { csv: 'text/csv', jsonl: 'application/jsonl' };

/** The service looks at every row before it answers. */
const UPLOAD_TIMEOUT_MS = 600_000;

const LOOK_AGAIN_MS = 1000;

export interface UploadOptions extends WriteCallOptions {
  /** What the file is written in: `csv` unless it is said. */
  readonly format?: keyof typeof TYPES;
}

export interface WaitOptions extends CallOptions {
  /** Called with the import whenever it has come further. */
  readonly onProgress?: (now: Import) => void;
}

/** Files of shipments that come back: `upload` tells what a file would do, `apply` and `wait` do it, `result` has what was refused. */
export class Imports {
  constructor(private readonly http: Http) {}

  /** Sends a file. Nothing is written: the answer tells what its rows would do, and what is wrong with the first of them. */
  upload(
    file: string | Blob | Uint8Array<ArrayBuffer>,
    { format = 'csv', ...options }: UploadOptions = {},
  ): Promise<DryRun> {
    const body = { type: TYPES[format], content: file };
    return this.http.call<DryRun>({
      method: 'POST',
      path: '/v1/imports',
      file: body,
      timeoutMs: UPLOAD_TIMEOUT_MS,
      ...options,
    });
  }

  get(id: string, options: CallOptions = {}): Promise<Import> {
    return this.http.call<Import>({ method: 'GET', path: pathOf(id), ...options });
  }

  /** What each row would do, or what became of it; `outcome` picks some of them. */
  rows(id: string, query: ImportRowsQuery & CallOptions = {}): List<ImportRow> {
    return listOf(this.http, `${pathOf(id)}/rows`, query);
  }

  /** Begins to write the rows. It can be called again at any time: a row has its effect once. */
  apply(id: string, options: WriteCallOptions = {}): Promise<Import> {
    return this.http.call<Import>({ method: 'POST', path: `${pathOf(id)}/apply`, ...options });
  }

  /** Resolves when every row of an import that is being applied is done or refused. */
  async wait(id: string, { onProgress, ...options }: WaitOptions = {}): Promise<Import> {
    for (let last: string | undefined; ;) {
      const now = await this.get(id, options);
      if (now.eTag !== last) onProgress?.(now);
      if (now.state === 'applied') return now;
      last = now.eTag;
      await pause(LOOK_AGAIN_MS, options.signal);
    }
  }

  /** The refused rows as CSV, with what is wrong with each: to be mended and sent again. */
  async result(id: string, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const request = { method: 'GET', path: `${pathOf(id)}/result`, ...options } as const;
    const answer = await this.http.open(request, options.signal ?? new AbortController().signal);
    if ('reason' in answer) throw answer.reason;
    if (answer.body === null) throw new NoAnswerError('A result file came without a body', undefined);
    return answer.body;
  }
}

function pathOf(id: string): string {
  return `/v1/imports/${encodeURIComponent(id)}`;
}
