import type { Request } from 'express';

/** Aborted when the client has gone, or has got everything. */
export function untilClosed({ res: response }: Request): AbortSignal {
  const closing = new AbortController();
  response?.once('close', () => closing.abort());
  return closing.signal;
}
