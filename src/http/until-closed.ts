import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';

/**
 * Calls back once a request or response is closed, or at once if it is closed already: the event does not repeat, and most callers
 * listen only after an `await`, during which the client may have disconnected.
 */
export function onceClosed(message: IncomingMessage | ServerResponse, callback: () => void): void {
  if (message.destroyed) callback();
  else message.once('close', callback);
}

/** Aborted when the client has disconnected or has received the whole response. */
export function untilClosed({ res: response }: Request): AbortSignal {
  const closing = new AbortController();
  if (response !== undefined) onceClosed(response, () => closing.abort());
  return closing.signal;
}
