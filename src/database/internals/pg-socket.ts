import type { Socket } from 'node:net';
import type { PoolClient } from 'pg';

/** pg keeps the socket in `client.connection.stream`. */
function socketOf(client: PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/**
 * Destroys a connection at once. Pending statements fail.
 *
 * Relies on: `socketOf`.
 * Buys: no speed. Requests meet their deadline even if the network to PostgreSQL is down.
 * Without it: only PostgreSQL's own timeouts apply, because pg's `end()` waits for pipelined statements.
 */
export function cutConnection(client: PoolClient): void {
  socketOf(client).destroy();
}
