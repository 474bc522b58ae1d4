import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from '../config/config.js';
import { createExpressServer } from '../http/express-server.js';
import { listenFailure } from '../http/listen-failure.js';
import type { Preparation } from '../http/preparation.js';
import { Problem } from '../problem/problem.js';

/** What is for operators rather than for clients. */
function isManagementPath(path: string): boolean {
  return path === '/metrics' || path.startsWith('/health/');
}

const ports = new WeakSet<Server>();

/** When health and metrics have a port of their own, they are there and nothing else is; without one, all is in one place. */
export function separateManagement(config: Config): Preparation {
  return (request) => {
    if (config.MANAGEMENT_PORT === undefined) return;
    const socket = request.socket as { server?: Server };
    const onManagementPort = socket.server !== undefined && ports.has(socket.server);
    if (onManagementPort === isManagementPath(request.path)) return;
    throw new Problem('NOT_FOUND', 'The service has no such path on this port.');
  };
}

/** Serves the application on the management port, too, when one is configured. */
export async function serveManagement(app: NestExpressApplication, config: Config): Promise<Server | undefined> {
  const port = config.MANAGEMENT_PORT;
  if (port === undefined) return undefined;
  await app.init();
  const server = createExpressServer(app.getHttpAdapter().getInstance());
  ports.add(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenFailure('MANAGEMENT_PORT', port, config.HOST, error)));
    server.listen(port, config.HOST, resolve);
  });
  return server;
}
