import { createHash, randomUUID } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request, RequestHandler } from 'express';
import { FILE_TYPES, mediaTypeAmong } from '../../http/media-types.js';
import { contentEncodingOf, onceBroken, tooLarge, type ContentEncoding } from '../../http/read-body.js';
import { contextOf } from '../../http/request-context.js';
import type { LimitedSlots } from '../../http/slots.js';
import { onceClosed } from '../../http/until-closed.js';
import { Problem } from '../../problem/problem.js';
import { MAX_FILE_BYTES } from './file-format.js';
import { MALFORMED_FILE } from '../import-problems.js';

const READ_AT_ONCE = 65_536;

const UNPACKERS: Readonly<Record<ContentEncoding, (() => Transform) | undefined>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  identity: undefined,
};

/** An uploaded file, stored on disk without a name, so that nothing remains when it is closed or the process is killed. */
export class UploadedFile {
  /** Decompressed size of the part read so far. */
  bytes = 0;
  /** Whether the client has disconnected, so that the file can no longer be read. */
  isClosed = false;
  private digest = '';

  constructor(
    private readonly handle: FileHandle,
    private readonly encoding: ContentEncoding,
    readonly type: string,
  ) {}

  /** Receives the body. Discards what exceeds the limit, so that the client gets a response. */
  async receive(request: Request): Promise<void> {
    const hash = createHash('sha256');
    let length = 0;
    let written = Promise.resolve();
    await new Promise<void>((resolve, reject) => {
      request.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > MAX_FILE_BYTES) {
          reject(tooLarge(MAX_FILE_BYTES));
          return;
        }
        hash.update(chunk);
        request.pause();
        written = this.handle.appendFile(chunk).then(() => void request.resume());
        written.catch(reject);
      });
      // 'end' may fire while the last bytes are still being written.
      request.on('end', () => void written.then(resolve, reject));
      onceBroken(request, reject);
    });
    this.digest = hash.digest('hex');
    this.bytes = length;
  }

  /** The decompressed content, up to the limit. */
  read(): AsyncIterable<Buffer> {
    const unpack = UNPACKERS[this.encoding];
    if (unpack === undefined) return this.stored();
    let length = 0;
    const limited = new Transform({
      transform: (chunk: Buffer, _, done) => {
        length += chunk.length;
        this.bytes = Math.max(this.bytes, length);
        if (length > MAX_FILE_BYTES) done(tooLarge(MAX_FILE_BYTES));
        else done(null, chunk);
      },
    });
    const unpacked = unpack().once('error', (cause) => {
      limited.destroy(new Problem(MALFORMED_FILE, 'The file does not match its Content-Encoding.', { cause }));
    });
    return pipeline(this.stored(), unpacked, limited, () => undefined);
  }

  /** Not a stream of the handle, which would close it. */
  private async *stored(): AsyncGenerator<Buffer, void, undefined> {
    for (let position = 0; ;) {
      const { bytesRead, buffer } = await this.handle.read(Buffer.allocUnsafe(READ_AT_ONCE), 0, READ_AT_ONCE, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  close(): Promise<void> {
    this.isClosed = true;
    return this.handle.close();
  }

  /** Identifies the body for idempotency, like the JSON of other bodies. */
  toJSON(): object {
    return { type: this.type, digest: this.digest };
  }
}

/** Receives a file as `request.body` and keeps it until the response is sent. `authorize` throws before anything is reserved. */
export function uploadedFile(authorize: (request: Request) => void, slots: LimitedSlots): RequestHandler {
  return async (request, response, next) => {
    const type = mediaTypeAmong(Object.values(FILE_TYPES), request.headers['content-type']);
    const encoding = contentEncodingOf(request.headers);
    if (Number(request.headers['content-length']) > MAX_FILE_BYTES) throw tooLarge(MAX_FILE_BYTES);
    authorize(request);
    contextOf(request).countFile(0);
    slots.takeUntilClosed(request);
    const handle = await namelessFile();
    const file = new UploadedFile(handle, encoding, type);
    onceClosed(response, () => void file.close());
    await file.receive(request);
    request.body = file;
    next();
  };
}

/** A file without a name, invisible to other processes. */
async function namelessFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `waybill-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  return handle;
}
