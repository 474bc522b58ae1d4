import type { Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/** The URL of the address that a server listens on, as the operating system reports it. */
export function listeningAddress(server: Server): string {
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The server does not listen on a port');
  const { address, port } = bound;
  return `${server instanceof TlsServer ? 'https' : 'http'}://${isIPv6(address) ? `[${address}]` : address}:${port}`;
}
