import { Server as ConnectionServer } from 'node:net';
import type { Server } from 'node:http';

/**
 * Closes only the port, and resolves when all connections are closed.
 *
 * Relies on: `http.Server` inherits from `net.Server`, whose `close` leaves connections open.
 * Buys: no speed. Connections stay open for a last request, as the documentation of `shutDown` says.
 * Without it: the service would reset requests that are on the way when it stops, because `close` of `http.Server` closes idle connections.
 */
export function closePort(server: Server): Promise<void> {
  return new Promise((resolve) => {
    ConnectionServer.prototype.close.call(server, () => resolve());
  });
}
