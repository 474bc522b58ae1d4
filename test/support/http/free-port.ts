import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below the ports that Linux and macOS hand out by themselves, so that no connection of a stranger gets one of these. */
const FIRST = 20_000;
const PAIRS = 6000;

/**
 * A port for a process that is started, stopped and started again. It belongs to the test until its own process ends: the even
 * port below it is listened on meanwhile, and every test that asks for a port respects that, in whatever process it runs.
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

/** Undefined when somebody else listens there. */
async function listen(port: number): Promise<Server | undefined> {
  const server = createServer().unref();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return server;
  } catch {
    return undefined;
  }
}
