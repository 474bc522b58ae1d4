import { createServer, type Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from '../config/config.js';

/** What is for operators rather than for clients. */
export function isManagementPath(path: string): boolean {
  return path === '/metrics' || path.startsWith('/health/');
}

/** Serves health and metrics on a port of their own when one is configured. */
export async function serveManagement(app: NestExpressApplication, config: Config): Promise<Server | undefined> {
  const port = config.MANAGEMENT_PORT;
  if (port === undefined) return undefined;
  await app.init();
  const express = app.getHttpAdapter().getInstance();
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    if (isManagementPath(path)) express(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, config.HOST, resolve);
  });
  return server;
}
