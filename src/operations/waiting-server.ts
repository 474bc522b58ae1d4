import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Config } from '../config/config.js';
import { answerParserErrors } from '../server/parser-errors.js';
import { listenFailure } from '../server/listen-failure.js';
import { openContext } from '../http/request-context.js';
import { sendProblem } from '../http/send-problem.js';
import { unavailable } from '../problem/problem.js';

const LIVE = '/health/live';
const NOT_YET = 'The service is waiting for its database. Nothing was written. Try again in a moment.';

type PortName = 'PORT' | 'MANAGEMENT_PORT';

/**
 * Listens on the service's ports while the database is unavailable: liveness succeeds, and everything else returns 503. Load balancers
 * see that the service is not ready, and orchestrators do not restart it.
 */
export class WaitingServer {
  private constructor(private readonly servers: readonly Server[]) {}

  static async start(config: Config): Promise<WaitingServer> {
    const listener: RequestListener = (request, response) => {
      openContext(request, response);
      if (request.url?.split('?', 1)[0] === LIVE)
        response.setHeader('Content-Type', 'application/json').end('{"status":"ok"}');
      else sendProblem(request, response, unavailable(NOT_YET), config.PUBLIC_URL ?? '');
    };
    const tls = config.TLS_CERT_FILE !== undefined && {
      cert: readFileSync(config.TLS_CERT_FILE),
      key: readFileSync(config.TLS_KEY_FILE ?? ''),
    };
    const servers = [await listen(tls ? createTlsServer(tls, listener) : createServer(listener), 'PORT', config)];
    if (config.MANAGEMENT_PORT !== undefined) {
      servers.push(await listen(createServer(listener), 'MANAGEMENT_PORT', config));
    }
    return new WaitingServer(servers);
  }

  /** Closes the ports, so that the service can listen on them. */
  async close(): Promise<void> {
    await Promise.all(
      this.servers.map((server) => {
        const closed = new Promise((resolve) => server.close(resolve));
        server.closeAllConnections();
        return closed;
      }),
    );
  }
}

async function listen(server: Server, name: PortName, config: Config): Promise<Server> {
  answerParserErrors(server, config.PUBLIC_URL ?? '');
  const port = config[name] ?? 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenFailure(name, port, config.HOST, error)));
    server.listen(port, config.HOST, resolve);
  });
  return server;
}
