import type { RequestHandler } from 'express';
import { ANONYMOUS, contextOf } from './request-context.js';

const NAME = /^[^\p{C}]{1,100}$/u;

/** Without authentication, `X-Display-Name` (percent-encoded) names the caller in history, unverified. An unusable one is ignored. */
export const displayName: RequestHandler = (request, _, next) => {
  const name = decoded(request.headers['x-display-name']);
  if (name !== undefined) contextOf(request).caller = { ...ANONYMOUS, name };
  next();
};

function decoded(sent: string | string[] | undefined): string | undefined {
  if (typeof sent !== 'string') return undefined;
  try {
    const name = decodeURIComponent(sent).trim();
    return NAME.test(name) ? name : undefined;
  } catch {
    return undefined;
  }
}
