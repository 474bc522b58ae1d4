import { once } from 'node:events';
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
    const isRead = ['GET', 'HEAD'].includes(response.req.method);
    if (body === undefined) {
      response.writeHead(this.status ?? status, this.headers).end();
      return;
    }
    response.writeHead(this.status ?? status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      // A cache must revalidate what it has read, and store nothing else: some writes show a key or a secret. A proxy that recompresses would
      // weaken the ETag.
      'Cache-Control': isRead ? 'private, no-cache, no-transform' : 'no-store, no-transform',
      ...this.headers,
    });
    response.end(response.req.method === 'HEAD' ? undefined : body);
  }
}

/** Thrown to send the response that was stored for the first attempt of the same request. */
export class RepeatedRequest extends Error {
  constructor(readonly reply: Reply) {
    super('The request is a repetition');
  }
}

interface Sending {
  /** The content, a few lines at a time. */
  readonly chunks: AsyncIterable<string>;
  /** Aborted when the rest is no longer needed. */
  readonly signal: AbortSignal;
  /** Called once, with the failure, if any. */
  readonly ended: (failure?: unknown) => void;
}

/** Streams a file while it is generated, as fast as the client reads. HEAD gets only the headers. */
export class StreamedReply extends Reply {
  constructor(
    headers: Record<string, string>,
    private readonly sending?: Sending,
  ) {
    super(undefined, headers);
  }

  override send(response: Response): void {
    // A buffering proxy would accept the whole file as fast as it is generated.
    response.vary('Accept').writeHead(200, { ...this.headers, 'X-Accel-Buffering': 'no' });
    if (this.sending === undefined || response.req.method === 'HEAD') response.end();
    else void send(response, this.sending);
  }
}

async function send(response: Response, { chunks, signal, ended }: Sending): Promise<void> {
  // The client reads again, so clear its timeout: the next lines may take long to generate.
  response.on('drain', () => response.socket?.setTimeout(0));
  try {
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      if (!response.write(chunk)) await once(response, 'drain', { signal });
    }
    response.end();
    ended();
  } catch (failure) {
    ended(failure);
    // Without the last chunk, clients see that the body is incomplete.
    response.destroy();
  }
}
