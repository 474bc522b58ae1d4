import type { RequestHandler } from 'express';
import { Problem } from '../problem/problem.js';

/** 414 for a URL that is longer than any this API has a use for. */
export function urlLimit(bytes: number): RequestHandler {
  return (request, _, next) => {
    if (request.url.length <= bytes) next();
    else next(new Problem('URI_TOO_LONG', `The URL must not have more than ${bytes} bytes.`));
  };
}
