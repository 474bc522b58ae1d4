import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from '../config/config.js';
import { Lifecycle } from './lifecycle.js';

/**
 * Stops so that no client notices: first readiness turns 503 while requests are still served, so that the load balancer
 * can look elsewhere; then no new connection is taken, and what runs is finished within a deadline.
 */
export async function shutDown(
  app: NestExpressApplication,
  config: Config,
  management: Server | undefined,
): Promise<void> {
  app.get(Lifecycle).beginDraining();
  await sleep(config.DRAIN_DELAY_MS);
  const server = app.getHttpServer() as Server;
  const finished = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  await Promise.race([finished, sleep(config.SHUTDOWN_TIMEOUT_MS)]);
  server.closeAllConnections();
  management?.close();
  management?.closeAllConnections();
  await app.close();
}
