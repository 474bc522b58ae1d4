import { once } from 'node:events';
import type { Request, Response } from 'express';
import { Reply } from './reply.js';

/** A text that is sent while it is made, as fast as the client takes it. HEAD gets the headers alone. */
export class StreamedReply extends Reply {
  constructor(
    private readonly chunks: AsyncIterable<string>,
    headers: Record<string, string>,
    /** Called when it fails although the client is there. */
    private readonly failed: (error: unknown) => void,
  ) {
    super(undefined, headers);
  }

  override send(response: Response): void {
    response.writeHead(200, this.headers);
    if (response.req.method === 'HEAD') response.end();
    else void this.stream(response);
  }

  private async stream(response: Response): Promise<void> {
    const gone = untilClosed(response.req);
    try {
      for await (const chunk of this.chunks) {
        if (!response.write(chunk)) await once(response, 'drain', { signal: gone });
      }
      response.end();
    } catch (error) {
      if (!gone.aborted) this.failed(error);
      // A reset, because a closed connection could be taken for the end of a complete file.
      response.socket?.resetAndDestroy();
    }
  }
}

function untilClosed({ res: response }: Request): AbortSignal {
  const closing = new AbortController();
  response?.once('close', () => closing.abort());
  return closing.signal;
}
