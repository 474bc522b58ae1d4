import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { addressOf, networkOf } from './client-address.js';

/** The sender of a request and its permissions. */
export interface Caller {
  readonly subject: string;
  /** Display name for history, if any. Not unique. */
  readonly name?: string | undefined;
  /** The name of the API key; undefined for a caller without one. */
  readonly keyName?: string;
  readonly scopes: ReadonlySet<string>;
  /** Expiry of the credentials in milliseconds since 1970; undefined for a caller whom nobody verified. */
  readonly expiresAt?: number;
  /** Calls back once the credentials end or lose a scope, until the returned function is called. Tokens cannot be revoked. */
  readonly whenRevoked?: (end: () => void) => () => void;
}

/** The caller of a request without a token. */
export const ANONYMOUS: Caller = { subject: 'anonymous', scopes: new Set() };

export function isAnonymous({ expiresAt }: Caller): boolean {
  return expiresAt === undefined;
}

export interface RequestOutcome {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly requestID: string;
}

interface RequestSpan {
  readonly traceID: string;
  readonly spanID: string;
  end(outcome: RequestOutcome): void;
}

/** State of a request that middleware, guards and filters share. Other folders declare what they add. */
export class RequestContext {
  /** Set by `authentication`. */
  caller: Caller = ANONYMOUS;
  /** Counts each item of a request as a request, or throws 429; set by `rateLimit`. */
  countItems: (items: number) => void = () => undefined;
  /** Counts the size of a file, or throws 429; 0 only checks. Set by `rateLimit`. */
  countFile: (size: number) => void = () => undefined;
  /** The query parameters, set by `QueryGuard`. */
  query: object = {};
  /** Whether the response is a file. It lasts as long as the client reads, so metrics count it separately. */
  isFile = false;
  span: RequestSpan | undefined = undefined;
  /** The code of the problem response, set by `sendProblem`. */
  problemCode: string | undefined = undefined;

  constructor(readonly requestID: string) {}
}

const CONTEXT = Symbol('context');

type RequestInContext = IncomingMessage & { [CONTEXT]?: RequestContext };

const ACCEPTED_ID = /^[A-Za-z0-9._~+/=:@-]{1,128}$/;

/** Creates the context of a request; the server calls it first. Keeps the client's request id if it is valid. */
export function openContext(request: RequestInContext, response: ServerResponse): void {
  const sent = request.headers['x-request-id'];
  const requestID = typeof sent === 'string' && ACCEPTED_ID.test(sent) ? sent : randomUUID();
  request[CONTEXT] = new RequestContext(requestID);
  response.setHeader('X-Request-ID', requestID);
}

export function contextOf(request: RequestInContext): RequestContext {
  const context = request[CONTEXT];
  if (context === undefined) throw new Error('The request has no context: its server did not call openContext');
  return context;
}

/** The request of a guard or parameter decorator. `switchToHttp()` would create a host with three functions for each call. */
export function requestOf<Of extends Request = Request>(context: ExecutionContext): Of {
  return context.getArgByIndex<Of>(0);
}

/** The author of a write for history; `isKeyed` means that the client can safely repeat the request. */
export function writerOf(request: IncomingMessage): { requestID: string; caller: Caller; isKeyed: boolean } {
  const { requestID, caller } = contextOf(request);
  return { requestID, caller, isKeyed: request.headers['idempotency-key'] !== undefined };
}

/** Identifies a caller for limits: by token subject, or by network without a token. */
export function callerKeyOf(request: Request): string {
  const { caller } = contextOf(request);
  return isAnonymous(caller) ? `network ${networkOf(addressOf(request))}` : `subject ${caller.subject}`;
}

/** How a message calls the caller of a request. Only API keys are named: their names belong to whoever gets the message. */
export function callerNameOf(request: IncomingMessage): string {
  const { keyName } = contextOf(request).caller;
  return keyName === undefined ? 'A caller' : `The API key "${keyName}"`;
}
