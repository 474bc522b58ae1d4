import type { Response } from 'express';

/** A response whose body is already text: JSON unless the headers name another type. */
export class Reply {
  constructor(
    readonly body: string | undefined,
    readonly headers: Record<string, string> = {},
    readonly status?: number,
  ) {}

  send(response: Response, status = response.statusCode): void {
    const { body } = this;
    if (body === undefined) {
      response.writeHead(this.status ?? status, this.headers).end();
      return;
    }
    response.writeHead(this.status ?? status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      // A cache must revalidate, and a proxy that recompresses would weaken the ETag.
      'Cache-Control': 'private, no-cache, no-transform',
      ...this.headers,
    });
    response.end(response.req.method === 'HEAD' ? undefined : body);
  }
}

/** Thrown to send the response that was kept for an earlier attempt of the same request. */
export class AnsweredBefore extends Error {
  constructor(readonly reply: Reply) {
    super('The request was answered before');
  }
}
