import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { RequestHandler } from 'express';
import type { Config } from '../config/config.js';
import { createExpressServer } from '../server/express-server.js';
import { listen } from '../server/listen.js';
import { Problem } from '../problem/problem.js';

/** Paths for operators, in any form that Express would match. */
const MANAGEMENT_PATH = /^\/(health|metrics)(\/|$)/;

export function isManagementPath(path: string): boolean {
  return MANAGEMENT_PATH.test(path);
}

/** The connections to the management port. */
const connections = new WeakSet<Socket>();

/** With a separate management port: health and metrics are available only there, and everything else only here. */
export const separateManagement: RequestHandler = (request, _, next) => {
  if (connections.has(request.socket) === isManagementPath(request.path)) next();
  else next(new Problem('NOT_FOUND', 'The service does not have this path on this port.'));
};

/** Also serves the application on the management port, if configured. */
export async function serveManagement(app: NestExpressApplication, config: Config): Promise<Server | undefined> {
  if (config.MANAGEMENT_PORT === undefined) return undefined;
  await app.init();
  const server = createExpressServer(app.getHttpAdapter().getInstance());
  server.on('connection', (socket: Socket) => connections.add(socket));
  await listen(server, 'MANAGEMENT_PORT', config);
  return server;
}
