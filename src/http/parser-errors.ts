import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { Problem, problemBody } from '../problem/problem.js';
import { newRequestID } from '../problem/request-id.js';

/** Gives what Node's HTTP parser refuses the same answer as any other error, and closes the connection. */
export function answerParserErrors(server: Server, baseUrl: string): void {
  // Node refuses these two with an empty body. `checkHost` looks for the Host instead, and an Expect that nobody knows
  // may be passed over (RFC 9110, 10.1.1).
  Object.assign(server, { requireHostHeader: false });
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    socket.end(rawAnswer(parserProblem(error.code), baseUrl));
  });
}

function parserProblem(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('HEADERS_TOO_LARGE', 'The request line and headers are larger than the service takes.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('REQUEST_TIMEOUT', 'The request did not arrive in time.');
    default:
      return new Problem('MALFORMED_REQUEST', 'The request is not valid HTTP/1.1 and was not read any further.');
  }
}

function rawAnswer(problem: Problem, baseUrl: string): string {
  const requestID = newRequestID();
  const body = JSON.stringify(problemBody(problem, { instance: '', requestID, baseUrl }));
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-ID: ${requestID}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
