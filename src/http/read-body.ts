import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { Problem } from '../problem/problem.js';

const UNPACKERS = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  identity: undefined,
};

export type ContentEncoding = keyof typeof UNPACKERS;

/** Reads and decompresses a body. Stops as soon as it exceeds the limit. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const unpack = UNPACKERS[contentEncodingOf(request.headers)];
  if (Number(request.headers['content-length']) > limit) throw tooLarge(limit);
  const bytes = await receive(request, limit);
  if (unpack === undefined) return bytes;
  try {
    return await unpack(bytes, { maxOutputLength: limit });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit);
    throw new Problem('MALFORMED_JSON', 'The body does not match its Content-Encoding.');
  }
}

function receive(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else reject(tooLarge(limit));
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    onceBroken(request, reject);
  });
}

/** Calls back when the body will not arrive in full: at once if the client has disconnected already, because no event follows then. */
export function onceBroken(request: IncomingMessage, fail: (problem: Problem) => void): void {
  const broken = () => fail(new Problem('MALFORMED_REQUEST', 'The request body is shorter than its Content-Length.'));
  if (request.destroyed) broken();
  else request.once('error', broken);
}

export function tooLarge(limit: number): Problem {
  return new Problem('TOO_LARGE', `The body must not be larger than ${limit} bytes.`);
}

/** How a body is packed, or 415. */
export function contentEncodingOf(headers: IncomingHttpHeaders): ContentEncoding {
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (Object.hasOwn(UNPACKERS, encoding)) return encoding as ContentEncoding;
  const known = Object.keys(UNPACKERS).join(', ');
  throw new Problem('UNSUPPORTED_MEDIA_TYPE', `The Content-Encoding must be one of ${known}.`, {
    headers: { 'Accept-Encoding': known },
  });
}
