import type { IncomingMessage, Server } from 'node:http';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Closes the connection of a request a given number of event loop turns after it arrived. A service notices a lost connection only between
 * two turns, so trying all turns covers every `await` during which a client can disconnect.
 */
export async function leaveAfter(server: Server, turns: number, request: string | Buffer): Promise<void> {
  const { port } = server.address() as { port: number };
  const cut = async ({ socket }: IncomingMessage) => {
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
    socket.destroy();
  };
  server.prependOnceListener('request', (arrived: IncomingMessage) => void cut(arrived));
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.on('error', () => undefined).on('close', () => resolve());
    socket.resume();
  });
}

/** From the arrival of a request until long after the response has started; denser where most steps are. */
export const TURNS = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096];
