import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { readConfig } from '../../src/config/read-config.js';
import { Lifecycle } from '../../src/operations/lifecycle.js';
import { shutDown } from '../../src/operations/shutdown.js';

const config = readConfig({ DRAIN_DELAY_MS: '50', SHUTDOWN_TIMEOUT_MS: '60000' });
/** Longer than each of the waits of a shutdown, so that its timer is due when the process runs again. */
const STALL_MS = 600;

/** Indexes of the signals that the threads share. */
const [STALLED, SENT, NEVER] = [0, 1, 2];

/** A client in a thread of its own, which sends a request while the service does not run; `isKept` if on a connection that it has. */
const CLIENT = `
  const { once } = require('node:events');
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, isKept, signals } } = require('node:worker_threads');
  function tell(signal) {
    Atomics.store(signals, signal, 1);
    Atomics.notify(signals, signal);
  }
  async function main() {
    let received = '';
    const open = () =>
      connect(port, '127.0.0.1').on('data', (chunk) => (received += chunk)).on('error', ({ code }) => (received += code));
    const send = (socket, then) => socket.write('GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n', then);
    const kept = isKept ? open() : undefined;
    if (kept !== undefined) {
      send(kept);
      await once(kept, 'data');
    }
    parentPort.postMessage('ready');
    Atomics.wait(signals, ${STALLED}, 0);
    const socket = kept ?? open();
    send(socket, () => tell(${SENT}));
    await once(socket, 'close');
    parentPort.postMessage(received);
  }
  main();
`;

/** Stands still at a certain point of the shutdown, as a process does that gets no processor. */
class StallingLifecycle extends Lifecycle {
  constructor(
    private readonly whenAway: boolean,
    private readonly stall: () => void,
  ) {
    super();
  }

  override sendClientsAway(away: boolean): void {
    super.sendClientsAway(away);
    if (away === this.whenAway) setImmediate(this.stall);
  }
}

interface Stall {
  /** At which of the two calls that tell whether clients are sent away. */
  readonly whenAway: boolean;
  /** Whether the client sends on a connection that it has. */
  readonly isKept: boolean;
  /** Whether the request comes in the next iteration of the event loop, after its poll for input; the timers are due before that. */
  readonly isAfterPoll?: boolean;
}

/** How many requests of the client are answered. */
async function answersAroundStall({ whenAway, isKept, isAfterPoll = false }: Stall): Promise<number> {
  const signals = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  const stand = () => Atomics.wait(signals, NEVER, 0, STALL_MS);
  const standWhileRequestComes = () => {
    Atomics.store(signals, STALLED, 1);
    Atomics.notify(signals, STALLED);
    Atomics.wait(signals, SENT, 0);
    stand();
  };
  const lifecycle = new StallingLifecycle(whenAway, () => {
    if (isAfterPoll) {
      setImmediate(standWhileRequestComes);
      stand();
    } else {
      standWhileRequestComes();
    }
  });
  const prepare = lifecycle.closeConnections();
  const server: Server = createServer((request, response) => {
    prepare(request as never, response as never);
    response.end('served');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new Worker(CLIENT, { eval: true, workerData: { port, isKept, signals } });
  expect(await once(client, 'message')).toEqual(['ready']);
  const told = once(client, 'message') as Promise<[string]>;
  const app = { get: () => lifecycle, getHttpServer: () => server, close: () => Promise.resolve() };
  await shutDown(app as unknown as NestExpressApplication, config, undefined);
  const [received] = await told;
  return received.split('served').length - 1;
}

test.each([false, true])(
  'a connection that comes while the process gets no processor is served, not reset when the port closes (after the poll for input: %s)',
  async (isAfterPoll) => {
    expect(await answersAroundStall({ whenAway: false, isKept: false, isAfterPoll })).toBe(1);
  },
);

test.each([false, true])(
  'so is a request that comes on an idle connection before that is closed (after the poll for input: %s)',
  async (isAfterPoll) => {
    expect(await answersAroundStall({ whenAway: true, isKept: true, isAfterPoll })).toBe(2);
  },
);
