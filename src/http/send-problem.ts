import type { IncomingMessage, ServerResponse } from 'node:http';
import { problemBody, shortened, type Problem } from '../problem/problem.js';
import type { Reply } from './reply.js';
import { contextOf } from './request-context.js';
import { onceClosed } from './until-closed.js';

const MAX_INSTANCE_LENGTH = 256;

/** How long a rejected client may keep sending before the connection is closed. Closing at once could lose the response. */
export const LINGER_MS = 1000;

/** Renders a problem for a client that prefers HTML; undefined for other clients. */
export type ProblemPage = (request: IncomingMessage, problem: Problem) => Reply | undefined;

export function sendProblem(
  request: IncomingMessage,
  response: ServerResponse,
  problem: Problem,
  baseUrl: string,
  pageOf?: ProblemPage,
): void {
  const context = contextOf(request);
  context.problemCode = problem.code;
  const { originalUrl = request.url } = request as { originalUrl?: string };
  const instance = shortened(originalUrl?.split('?', 1)[0] ?? '', MAX_INSTANCE_LENGTH);
  const page = pageOf?.(request, problem);
  const { requestID } = context;
  const body = page?.body ?? JSON.stringify(problemBody(problem, { instance, requestID, baseUrl }));
  // Do not read the rest of a rejected body: close the connection instead.
  if (!request.complete) response.setHeader('Connection', 'close');
  response.writeHead(problem.status, {
    ...problem.headers,
    'Content-Type': 'application/problem+json',
    ...page?.headers,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
  });
  if (request.complete || request.method === 'HEAD') response.end(request.method === 'HEAD' ? undefined : body);
  else endAfterUpload(request, response, body);
}

/** Sends the response now and closes the connection once the client stops sending, or after LINGER_MS. */
function endAfterUpload(request: IncomingMessage, response: ServerResponse, body: string): void {
  const timer = setTimeout(() => response.end(), LINGER_MS).unref();
  response.write(body);
  onceClosed(request, () => {
    clearTimeout(timer);
    response.end();
  });
  request.resume();
}
