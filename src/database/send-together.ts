import type { Socket } from 'node:net';
import type { PoolClient } from 'pg';

/** What is sent to PostgreSQL until `then` calls back leaves in one piece: each piece costs a system call. */
export function sendTogether(client: PoolClient, then: (uncork: () => void) => void): void {
  const socket = socketOf(client);
  socket.cork();
  then(() => {
    socket.uncork();
  });
}

export function socketOf(client: PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
