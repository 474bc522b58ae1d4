import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';

/** Below the ephemeral ports of Linux and macOS, so that no outgoing connection uses one of these. */
const FIRST = 20_000;
const PAIRS = 6000;

/**
 * Reserves a port for a process that is started, stopped and started again, until the test process ends: the test listens on the even port
 * below it, and `freePort` in every process respects that.
 */
export async function freePort(): Promise<number> {
  const start = Math.floor(Math.random() * PAIRS);
  for (let turn = 0; turn < PAIRS; turn += 1) {
    const reserved = FIRST + 2 * ((start + turn) % PAIRS);
    const reservation = await listen(reserved);
    if (reservation === undefined) continue;
    const port = await listen(reserved + 1);
    if (port !== undefined) {
      await new Promise((resolve) => port.close(resolve));
      return reserved + 1;
    }
    reservation.close();
  }
  throw new Error(`No port from ${FIRST} to ${FIRST + 2 * PAIRS} is free`);
}

/** Undefined if the port is in use. */
async function listen(port: number): Promise<Server | undefined> {
  const server = createServer().unref();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return server;
  } catch {
    return undefined;
  }
}

/** Whether a program listens on a port of this machine. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
