import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import { contextOf } from './request-context.js';

/** Calls back once a message is closed, or at once if it is already: the client may have disconnected while the caller awaited. */
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

/** Calls back if the credentials of the caller are revoked before the response is closed. */
export function onceRevoked(request: Request, callback: () => void): void {
  const stop = contextOf(request).caller.whenRevoked?.(callback);
  if (stop !== undefined && request.res !== undefined) onceClosed(request.res, stop);
}
