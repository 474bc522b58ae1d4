import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Limits for waiting pipelined requests, per connection and in total. */
export const MAX_WAITING = 32;
const MAX_WAITING_IN_ALL = 1000;

interface Connection {
  last: ServerResponse;
  waiting: number;
}

/**
 * Handles the requests of a connection one at a time. Node emits pipelined requests as soon as they are parsed and buffers their
 * responses, so a client that pipelines large lists without reading could exhaust the memory. Here, a request starts only after the
 * previous response has been sent. A client with too many waiting requests is disconnected; those requests are not executed.
 */
export function oneAtATime(start: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, Connection>();
  let waitingInAll = 0;

  const newConnection = (socket: Socket, last: ServerResponse): Connection => {
    const connection = { last, waiting: 0 };
    connections.set(socket, connection);
    // Node does not close waiting responses when their connection is lost.
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
