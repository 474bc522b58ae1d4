import type { Response } from 'express';
import { Reply } from './reply.js';

interface BuiltFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

/** A file whose name changes with its content, so that a browser asks for it once. */
export class FileReply extends Reply {
  constructor(private readonly file: BuiltFile) {
    super(undefined);
  }

  override send(response: Response): void {
    const { type, plain, gzipped } = this.file;
    const isGzipped = response.req.acceptsEncodings('gzip') !== false;
    const body = isGzipped ? gzipped : plain;
    response.writeHead(200, {
      'Content-Type': type,
      'Content-Length': body.length,
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(isGzipped && { 'Content-Encoding': 'gzip' }),
    });
    response.end(response.req.method === 'HEAD' ? undefined : body);
  }
}
