import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many pipelined requests may wait on one connection, and on all connections together. */
export const MAX_WAITING = 32;
const MAX_WAITING_IN_ALL = 1000;

interface Connection {
  /** The response to the request that arrived last. */
  last: ServerResponse;
  waiting: number;
}

/**
 * Handles the requests of one connection one after the other. Node hands over pipelined requests as soon as it has parsed them, and
 * would keep their answers until it is their turn: a client that pipelines large lists and does not read could fill the memory.
 * Here the next request is started when the answer to the one before it has left the process, so a connection holds one answer.
 * A client that has too many requests waiting loses its connection; what was not started was not done.
 */
export function oneAtATime(start: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, Connection>();
  let waitingInAll = 0;

  const newConnection = (socket: Socket, last: ServerResponse): Connection => {
    const connection = { last, waiting: 0 };
    connections.set(socket, connection);
    // Node does not close the responses that still wait when their connection is lost.
    socket.once('close', () => (waitingInAll -= connection.waiting));
    return connection;
  };

  const wait = (connection: Connection, request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (connection.waiting === MAX_WAITING || waitingInAll === MAX_WAITING_IN_ALL) {
      socket.destroy();
      return;
    }
    connection.waiting += 1;
    waitingInAll += 1;
    connection.last.once('close', () => {
      if (socket.destroyed) return;
      connection.waiting -= 1;
      waitingInAll -= 1;
      if (socket.writable) start(request, response);
    });
  };

  return (request, response) => {
    const connection = connections.get(request.socket) ?? newConnection(request.socket, response);
    if (connection.last === response || connection.last.writableFinished) start(request, response);
    else wait(connection, request, response);
    connection.last = response;
  };
}
