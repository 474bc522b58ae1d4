import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProblemCode } from '../problem/catalogue.js';
import { ANONYMOUS, type Caller } from './caller.js';

/** The open unit of work of a writing request, and the record that it has locked unless it creates one. */
export interface Write {
  /** A `Unit`, which is of a layer above. */
  readonly unit: object;
  readonly locked: { readonly row: object } | undefined;
}

/** Everything that the service finds out about a request on its way through middleware, guards and filters. */
export class RequestContext {
  /** Set by `authentication`. */
  caller: Caller = ANONYMOUS;
  /** Counts the items of a request that has several, each as a request, or throws 429; set by `rateLimit`. */
  countItems: (items: number) => void = () => undefined;
  /** Counts the size of a file that was read, or throws 429; with 0 only the latter. Set by `rateLimit`. */
  countFile: (size: number) => void = () => undefined;
  /** The query parameters, set by `QueryGuard`. */
  query: object = {};
  /** Set by `IfMatchGuard`. */
  write: Write | undefined = undefined;
  /** Whether the answer is a file, which takes as long as its client reads: it is counted apart from other answers of its route. */
  isFile = false;
  /** The code of the problem that was answered, set by `sendProblem`. */
  problemCode: ProblemCode | undefined = undefined;

  constructor(readonly requestID: string) {}
}

const CONTEXT = Symbol('context');

type RequestInContext = IncomingMessage & { [CONTEXT]?: RequestContext };

const ACCEPTED_ID = /^[A-Za-z0-9._~+/=:@-]{1,128}$/;

/**
 * Gives a request its context. The server does this before anything else sees the request. The request keeps the id that the
 * client sent, if that is an acceptable one; the response names it.
 */
export function openContext(request: RequestInContext, response: ServerResponse): void {
  const sent = request.headers['x-request-id'];
  const requestID = typeof sent === 'string' && ACCEPTED_ID.test(sent) ? sent : newRequestID();
  request[CONTEXT] = new RequestContext(requestID);
  response.setHeader('X-Request-ID', requestID);
}

export function contextOf(request: RequestInContext): RequestContext {
  const context = request[CONTEXT];
  if (context === undefined) throw new Error('The request has no context: its server did not call openContext');
  return context;
}

/** The write of a request whose route is marked with @Writes. */
export function writeOf(request: IncomingMessage): Write {
  const { write } = contextOf(request);
  if (write === undefined) throw new Error('The route is not marked with @Writes');
  return write;
}

/** Who makes a write: history keeps it, and `isKeyed` says whether the client can repeat the request safely. */
export function writerOf(request: IncomingMessage): { requestID: string; caller: Caller; isKeyed: boolean } {
  const { requestID, caller } = contextOf(request);
  return { requestID, caller, isKeyed: request.headers['idempotency-key'] !== undefined };
}

export function newRequestID(): string {
  return randomUUID();
}
