import type { IncomingMessage } from 'node:http';
import { Problem } from '../problem/problem.js';

/** A request of HTTP/1.1 has exactly one Host (RFC 9112, 3.2). */
export function checkHost({ rawHeaders, httpVersion }: IncomingMessage): void {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return;
  throw new Problem('MALFORMED_REQUEST', 'The request must have exactly one Host header.', {
    headers: { Connection: 'close' },
  });
}
