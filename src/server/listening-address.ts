import type { Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/** The URL that a server listens on, as reported by the operating system. */
export function listeningAddress(server: Server): string {
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The server is not listening on a port');
  const { address, port } = bound;
  return `${server instanceof TlsServer ? 'https' : 'http'}://${isIPv6(address) ? `[${address}]` : address}:${port}`;
}
