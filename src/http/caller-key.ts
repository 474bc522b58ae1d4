import type { Request } from 'express';
import { ANONYMOUS } from './caller.js';
import { addressOf, networkOf } from './client-address.js';
import { contextOf } from './request-context.js';

/** Tells callers apart for limits: by the subject of their token, or by their network if they have none. */
export function callerKeyOf(request: Request): string {
  const { caller } = contextOf(request);
  return caller === ANONYMOUS ? `network ${networkOf(addressOf(request))}` : `subject ${caller.subject}`;
}
