import type { Socket } from 'node:net';
import type { PoolClient } from 'pg';

/**
 * The socket of a connection to PostgreSQL.
 *
 * Relies on: pg keeps it in `client.connection.stream`.
 * Buys: fewer system calls. Not measured on a quiet machine yet.
 * Without it: remove `sendTogether`, and each statement is a system call of its own. A deadline would be kept by PostgreSQL's
 * own timeouts alone, which do not end a connection whose network is gone; pg's `end()` waits for what is pipelined.
 */
function socketOf(client: PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** What is sent to PostgreSQL until `then` calls back leaves in one piece, with one system call. */
export function sendTogether(client: PoolClient, then: (uncork: () => void) => void): void {
  const socket = socketOf(client);
  socket.cork();
  then(() => {
    socket.uncork();
  });
}

/** Ends a connection at once, whatever it waits for. All that was sent on it and has no answer fails. */
export function cutConnection(client: PoolClient): void {
  socketOf(client).destroy();
}
