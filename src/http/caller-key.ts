import type { Request } from 'express';
import { isAnonymous } from './caller.js';
import { addressOf, networkOf } from './client-address.js';
import { contextOf } from './request-context.js';

/** Identifies a caller for limits: by token subject, or by network without a token. */
export function callerKeyOf(request: Request): string {
  const { caller } = contextOf(request);
  return isAnonymous(caller) ? `network ${networkOf(addressOf(request))}` : `subject ${caller.subject}`;
}
