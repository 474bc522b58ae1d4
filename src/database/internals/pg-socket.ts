import type { Socket } from 'node:net';
import type { PoolClient } from 'pg';

/**
 * Ends a connection to PostgreSQL at once, whatever it waits for. All that was sent on it and has no answer fails.
 *
 * Relies on: pg keeps the socket in `client.connection.stream`.
 * Buys: no speed. A request keeps its deadline also when the network to PostgreSQL is gone.
 * Without it: deadlines are kept by PostgreSQL's own timeouts alone; pg's `end()` waits for what is pipelined.
 */
export function cutConnection(client: PoolClient): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}
