import type { Socket } from 'node:net';
import type { PoolClient } from 'pg';

/** pg keeps the socket in `client.connection.stream`. */
function socketOf(client: PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/**
 * Sends all statements that `work` starts in one write to the socket.
 *
 * Relies on: pg writes a statement to the socket as soon as it is started.
 * Buys: 5 % of the service's CPU for a PATCH, whose UPDATE and COMMIT need one system call instead of two.
 * Without it: the same, in more system calls.
 */
export function inOneWrite<Result>(client: PoolClient, work: () => Result): Result {
  const socket = socketOf(client);
  socket.cork();
  try {
    return work();
  } finally {
    socket.uncork();
  }
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
