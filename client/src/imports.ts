import { RECORD, recordOf } from './expected.js';
import { FILE_TYPES, type FileFormat, type FileOptions } from './export.js';
import type { CallOptions, Http, WriteCallOptions } from './http.js';
import type { List } from './list.js';
import { pause } from './pause.js';
import type { DryRun, Import, ImportRow, ImportRowsQuery, UploadQuery } from './records.js';
import { listOf, type ListOptions } from './versioned-records.js';

/** The service checks every row before it responds. */
const UPLOAD_TIMEOUT_MS = 600_000;

const LOOK_AGAIN_MS = 1000;

export interface UploadOptions extends WriteCallOptions {
  /** The format of the file; `csv` by default. */
  readonly format?: FileFormat;
  /** The order of day, month and year in dates such as 12/1/2026, for a file that is `ambiguous` without it. */
  readonly dates?: UploadQuery['dates'];
  /** The decimal sign of numbers such as 4,500, for a file that is `ambiguous` without it. */
  readonly decimal?: UploadQuery['decimal'];
  /** The name of the file, for the list of imports. */
  readonly fileName?: string;
}

export interface WaitOptions extends CallOptions {
  /** Called with the import on progress. */
  readonly onProgress?: (now: Import) => void;
}

/** Imports of shipments: `upload` is a dry run, `apply` and `wait` write the rows, `result` returns the refused ones. */
export class Imports {
  constructor(private readonly http: Http) {}

  /** Uploads a file for a dry run. The response has the counts, the first errors and the first changes; nothing is written. */
  upload(
    file: string | Blob | Uint8Array<ArrayBuffer>,
    { format = 'csv', dates, decimal, fileName, ...options }: UploadOptions = {},
  ): Promise<DryRun> {
    const body = { type: FILE_TYPES[format], content: file };
    return this.http.call<DryRun>({
      method: 'POST',
      path: '/v1/imports',
      query: { dates, decimal, fileName },
      expected: RECORD,
      file: body,
      timeoutMs: UPLOAD_TIMEOUT_MS,
      ...options,
    });
  }

  /** Imports of the last days, newest first. */
  list(options: ListOptions = {}): List<Import> {
    return listOf(this.http, '/v1/imports', options);
  }

  get(id: string, options: CallOptions = {}): Promise<Import> {
    return this.http.call<Import>({ method: 'GET', path: pathOf(id), expected: recordOf(id), ...options });
  }

  /** The rows with their planned or actual outcomes; `outcome` filters them. */
  rows(id: string, query: ImportRowsQuery & CallOptions = {}): List<ImportRow> {
    return listOf(this.http, `${pathOf(id)}/rows`, query);
  }

  /** Starts writing the rows. It can be called again at any time: a row takes effect only once. */
  apply(id: string, options: WriteCallOptions = {}): Promise<Import> {
    const path = `${pathOf(id)}/apply`;
    return this.http.call<Import>({ method: 'POST', path, expected: recordOf(id), ...options });
  }

  /** Counts a refused row as settled, after its conflict was settled with a request for its shipment. */
  settle(id: string, line: number, options: WriteCallOptions = {}): Promise<Import> {
    const path = `${pathOf(id)}/settle`;
    return this.http.call<Import>({ method: 'POST', path, query: { line }, expected: recordOf(id), ...options });
  }

  /** Resolves when every row of an import is applied or refused. */
  async wait(id: string, { onProgress, ...options }: WaitOptions = {}): Promise<Import> {
    for (let last: string | undefined; ;) {
      const now = await this.get(id, options);
      if (now.eTag !== last) onProgress?.(now);
      if (now.state === 'applied') return now;
      last = now.eTag;
      await pause(LOOK_AGAIN_MS, options.signal);
    }
  }

  /**
   * The refused rows with their errors, in the `format` of the import, to be corrected and uploaded again in that format. `excel` is only for
   * CSV.
   */
  result(
    id: string,
    { excel = false, ...options }: CallOptions & FileOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    const query = excel ? { excel: 'true' } : {};
    return this.http.file({ path: `${pathOf(id)}/result`, query, types: Object.values(FILE_TYPES), ...options });
  }
}

function pathOf(id: string): string {
  return `/v1/imports/${encodeURIComponent(id)}`;
}
