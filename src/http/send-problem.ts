import type { IncomingMessage, ServerResponse } from 'node:http';
import { problemBody, shortened, type Problem } from '../problem/problem.js';
import { contextOf } from './request-context.js';
import { onceClosed } from './until-closed.js';

const MAX_INSTANCE_LENGTH = 256;

/** How long a refused client may go on sending before the connection is closed: closed at once, the client might not see the answer. */
export const LINGER_MS = 1000;

/** Shows a problem to a client that prefers a page to JSON; undefined for any other. */
export type ProblemPage = (
  request: IncomingMessage,
  payload: Readonly<Record<string, unknown>>,
) => { readonly body: string | undefined; readonly headers: Readonly<Record<string, string>> } | undefined;

/** Answers a request with a problem. */
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
  const payload = problemBody(problem, { instance, requestID: context.requestID, baseUrl });
  const page = pageOf?.(request, payload);
  const body = page?.body ?? JSON.stringify(payload);
  // What is left of a refused body is not worth reading: end the connection instead.
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

/** The answer goes out now; the connection ends when the client has stopped sending, or soon. */
function endAfterUpload(request: IncomingMessage, response: ServerResponse, body: string): void {
  const timer = setTimeout(() => response.end(), LINGER_MS).unref();
  response.write(body);
  onceClosed(request, () => {
    clearTimeout(timer);
    response.end();
  });
  request.resume();
}
