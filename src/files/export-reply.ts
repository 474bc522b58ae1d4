import { once } from 'node:events';
import type { Response } from 'express';
import { Reply } from '../http/reply.js';
import type { ExportFile } from './export-file.js';

/** What is needed to send an export. */
export interface Sending {
  /** The lines of the file, a few records at a time. */
  readonly chunks: AsyncIterable<string>;
  /** Aborted when nobody wants the rest. */
  readonly signal: AbortSignal;
  /** Called once, with what went wrong if anything did. */
  readonly ended: (failure?: unknown) => void;
}

/** A file that is sent while it is read, as fast as the client takes it. HEAD gets the headers alone. */
export class ExportReply extends Reply {
  constructor(
    { headers }: ExportFile,
    private readonly sending?: Sending,
  ) {
    super(undefined, headers);
  }

  override send(response: Response): void {
    response.vary('Accept').writeHead(200, this.headers);
    if (this.sending === undefined) response.end();
    else void send(response, this.sending);
  }
}

async function send(response: Response, { chunks, signal, ended }: Sending): Promise<void> {
  // The time limit for an answer that nobody reads ends when somebody does: the next records may be long in coming.
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
