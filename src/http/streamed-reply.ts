import { once } from 'node:events';
import type { Response } from 'express';
import { Reply } from './reply.js';

/** What is needed to send a file. */
export interface Sending {
  /** Its text, a few lines at a time. */
  readonly chunks: AsyncIterable<string>;
  /** Aborted when nobody wants the rest. */
  readonly signal: AbortSignal;
  /** Called once, with what went wrong if anything did. */
  readonly ended: (failure?: unknown) => void;
}

/** A file that is sent while it is made, as fast as the client takes it. HEAD gets the headers alone. */
export class StreamedReply extends Reply {
  constructor(
    headers: Record<string, string>,
    private readonly sending?: Sending,
  ) {
    super(undefined, headers);
  }

  override send(response: Response): void {
    // A proxy that keeps what it cannot send yet would take the whole file, as fast as it can be made.
    response.vary('Accept').writeHead(200, { ...this.headers, 'X-Accel-Buffering': 'no' });
    if (this.sending === undefined || response.req.method === 'HEAD') response.end();
    else void send(response, this.sending);
  }
}

async function send(response: Response, { chunks, signal, ended }: Sending): Promise<void> {
  // The time limit for an answer that nobody reads ends when somebody does: the next lines may be long in coming.
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
    // The body lacks its last chunk, so that no client takes it for complete.
    response.destroy();
  }
}
