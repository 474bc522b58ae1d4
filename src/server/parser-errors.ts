import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem, problemBody } from '../problem/problem.js';
import { LINGER_MS, sendProblem } from '../http/send-problem.js';

interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

/** Sends a problem for requests that Node's HTTP parser rejects, and closes the connection. */
export function respondToParserErrors(server: Server, baseUrl: string): void {
  // Node would reject an unknown Expect with an empty body, but servers may ignore it (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));

  const latest = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => latest.set(request.socket, response));

  const refused = new WeakSet<Duplex>();
  const refuse = (socket: Duplex, problem: Problem) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    const response = latest.get(socket);
    // The client would take a response sent out of order for the response to an earlier request.
    if (response === undefined || response.writableFinished) end(socket, rawAnswer(problem, baseUrl));
    else if (response.req.complete) response.once('finish', () => end(socket, rawAnswer(problem, baseUrl)));
    else if (response.headersSent) socket.destroy();
    else sendProblem(response.req, response, problem, baseUrl);
  };
  server.on('connect', (_, socket) => refuse(socket, noProxy()));
  server.on('clientError', (error: ParserError, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuse(socket, parserProblem(error, latest.get(socket)?.req.complete === false));
  });
}

function end(socket: Duplex, response: string): void {
  if (!socket.writable) return;
  socket.end(response);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function parserProblem({ code, rawPacket }: ParserError, isInBody: boolean): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(
        'HEADERS_TOO_LARGE',
        'The request line and the headers are too large. Send fewer or shorter headers.',
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('REQUEST_TIMEOUT', 'The request did not arrive in full before the timeout. Send it again.');
    case 'HPE_INVALID_EOF_STATE':
      return new Problem(
        'MALFORMED_REQUEST',
        isInBody
          ? 'The request body is shorter than its Content-Length.'
          : 'The connection was closed before the request was complete.',
      );
    default:
      return new Problem(
        'MALFORMED_REQUEST',
        rawPacket?.[0] === FIRST_BYTE_OF_TLS
          ? 'This port serves plain HTTP, but the client began a TLS handshake. Use http://, or connect to the load balancer that serves HTTPS.'
          : 'The request is not valid HTTP/1.1.',
      );
  }
}

const FIRST_BYTE_OF_TLS = 0x16;

function noProxy(): Problem {
  const headers = { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' };
  return new Problem('METHOD_NOT_ALLOWED', 'The service is not a proxy and does not support CONNECT.', { headers });
}

function rawAnswer(problem: Problem, baseUrl: string): string {
  const requestID = randomUUID();
  const body = JSON.stringify(problemBody(problem, { instance: '', requestID, baseUrl }));
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    ...Object.entries(problem.headers).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-ID: ${requestID}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
