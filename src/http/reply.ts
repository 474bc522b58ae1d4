import type { Response } from 'express';

/** An answer whose body is JSON text already. */
export class Reply {
  constructor(
    readonly json: string | undefined,
    readonly headers: Record<string, string> = {},
    readonly status?: number,
  ) {}

  send(response: Response, status = response.statusCode): void {
    const { json } = this;
    if (json === undefined) {
      response.writeHead(this.status ?? status, this.headers).end();
      return;
    }
    response.writeHead(this.status ?? status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(json),
      // Versions are for the record's clients, not for caches, and a proxy that recompresses would weaken the ETag.
      'Cache-Control': 'private, no-cache, no-transform',
      ...this.headers,
    });
    response.end(response.req.method === 'HEAD' ? undefined : json);
  }
}
