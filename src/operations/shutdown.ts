import type { Server } from 'node:http';
import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from '../config/config.js';
import { closePort } from '../server/internals/close-port.js';
import { Lifecycle } from './lifecycle.js';

/** How long keep-alive connections may settle before the port closes. */
const SETTLE_MS = 300;

/** In such a short event loop iteration, hardly anything can arrive after the poll phase. */
const SHORT_ITERATION_MS = 1;

/** Stops waiting for a short iteration if the service is too busy. */
const MAX_ITERATIONS = 50;

const CLOSE_IDLE_EVERY_MS = 100;

/** Time for idle database connections to close. */
const CLOSE_WITHIN_MS = 500;

/**
 * Shuts down without failing requests.
 *
 * 1. For DRAIN_DELAY_MS, readiness returns 503 while requests are still served, and responses close their connections. Load balancers
 *    with readiness checks switch to other replicas.
 * 2. A load balancer without readiness checks (such as plain nginx) keeps sending requests, now on a new connection each. If the port
 *    closes at that moment, the kernel resets the connection, and the request cannot be retried safely. So keep-alive is allowed again
 *    for a moment: then hardly any connection is new when the port closes.
 * 3. The port closes, and new connections are refused, which a load balancer can retry elsewhere. Each open connection may send one
 *    more request. The service does not close idle connections, because a request may be in flight: for DRAIN_DELAY_MS it waits for a
 *    last request or for the other side to close. Load balancers must therefore close idle connections sooner than that.
 *    Input that arrives while the process is busy is seen only in the next event loop iteration. So the service accepts pending
 *    connections before it closes the port, and reads pending requests before it closes idle connections.
 * 4. Running requests have SHUTDOWN_TIMEOUT_MS after the port closed. Then their connections are destroyed, and PostgreSQL rolls back
 *    uncommitted transactions.
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
  const finished = closePort(server);
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
  // The pool waits for running statements; abandoned ones must not delay the exit.
  await Promise.race([app.close(), sleep(CLOSE_WITHIN_MS)]);
}

/** Accepts pending connections and requests until an event loop iteration is short. */
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
