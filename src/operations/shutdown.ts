import { Server as ConnectionServer } from 'node:net';
import type { Server } from 'node:http';
import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from '../config/config.js';
import { Lifecycle } from './lifecycle.js';

/** How long connections may settle before the port closes; the busiest time between two requests of a load balancer. */
const SETTLE_MS = 300;

/** In an iteration of the event loop this short hardly anything can arrive after its poll for input. */
const SHORT_ITERATION_MS = 1;

/** A service that is so busy that no iteration is short closes all the same. */
const MAX_ITERATIONS = 50;

/** How often connections whose last request was answered are looked for, when DRAIN_DELAY_MS does not say so. */
const CLOSE_IDLE_EVERY_MS = 100;

/** For connections to the database that are idle to end in good order. */
const CLOSE_WITHIN_MS = 500;

/**
 * Stops so that no client notices.
 *
 * 1. Readiness turns 503 while requests are still served, and answers send their clients away, for DRAIN_DELAY_MS: whoever
 *    watches readiness looks elsewhere.
 * 2. Who does not watch it (a plain nginx) still comes back, on a new connection for each request. A connection that arrives
 *    at the very moment the port closes is reset by the kernel with the request in it, which nobody may repeat. So for a
 *    moment connections may stay again: then hardly any are new when the port closes.
 * 3. The port closes, and new connections are refused, which a load balancer may safely take elsewhere. Those that are open
 *    are served once more each. An idle one is not closed from this side, for a request may be on its way on it: it has
 *    DRAIN_DELAY_MS for its last request, or for its owner to close it, and so has one whose request is answered later. That
 *    is why a load balancer in front has to drop idle connections sooner than that.
 *    What arrives while the process computes, or does not run at all, is only seen in the next iteration of the event loop. So new
 *    connections are taken in before the port closes, and requests before idle connections are closed.
 * 4. What still runs has until SHUTDOWN_TIMEOUT_MS after the port closed. Then its connection is cut, and PostgreSQL rolls
 *    back what it had not committed.
 */
export async function shutDown(
  app: NestExpressApplication,
  config: Config,
  management: Server | undefined,
): Promise<void> {
  const lifecycle = app.get(Lifecycle);
  const server: Server = app.getHttpServer();
  lifecycle.beginDraining();
  if (config.DRAIN_DELAY_MS > 0) {
    await sleep(config.DRAIN_DELAY_MS);
    lifecycle.sendClientsAway(false);
    await sleep(SETTLE_MS);
  }
  await takeIn();
  const finished = stopListening(server);
  lifecycle.sendClientsAway(true);
  const patience = sleep(config.SHUTDOWN_TIMEOUT_MS, undefined, { ref: false });
  await Promise.race([finished, patience, sleep(config.DRAIN_DELAY_MS)]);
  await closeIdleConnections(server);
  const closing = setInterval(
    () => void closeIdleConnections(server),
    Math.max(config.DRAIN_DELAY_MS, CLOSE_IDLE_EVERY_MS),
  );
  await Promise.race([finished, patience]);
  clearInterval(closing);
  server.closeAllConnections();
  management?.close();
  management?.closeAllConnections();
  // The pool waits for statements that still run; those nobody waits for any more must not hold the exit.
  await Promise.race([app.close(), sleep(CLOSE_WITHIN_MS)]);
}

/** Takes in connections and requests that have arrived, until an iteration of the event loop was short. */
async function takeIn(): Promise<void> {
  for (let count = 0; count < MAX_ITERATIONS; count += 1) {
    const begun = performance.now();
    await nextIteration();
    if (performance.now() - begun < SHORT_ITERATION_MS) return;
  }
}

async function closeIdleConnections(server: Server): Promise<void> {
  await takeIn();
  server.closeIdleConnections();
}

/** Closes the port alone; http.Server's own `close` would also cut the connections that are idle right now. */
function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    ConnectionServer.prototype.close.call(server, () => resolve());
  });
}
