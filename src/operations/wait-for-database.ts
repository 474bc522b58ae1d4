import { createServer, type RequestListener, type Server } from 'node:http';
import type { Config } from '../config/config.js';
import { openContext } from '../http/request-context.js';
import { sendProblem } from '../http/send-problem.js';
import { isDatabaseUnavailable } from '../problem/database-problem.js';
import { unavailable } from '../problem/problem.js';
import { retry } from '../problem/retry.js';
import { listen } from '../server/listen.js';
import { respondToParserErrors } from '../server/parser-errors.js';

const TRY_AGAIN_MS = 1000;
const LIVE = '/health/live';
const NOT_YET = 'The service is waiting for its database. Nothing was written. Try again in a moment.';

/**
 * Opens the database. While it is unavailable, the ports of the service return 503. Throws permanent failures, such as a wrong password,
 * and any failure of the embedded database, which nothing else would start.
 */
export async function waitForDatabase<Opened>(
  open: () => Promise<Opened>,
  config: Config,
  say: (line: string) => void,
): Promise<Opened> {
  let servers: Server[] | undefined;
  // As process 1 of a container, the service would ignore these signals without a listener.
  const end = () => process.exit(0);
  let reported = '';
  const keepWaiting = async (error: unknown) => {
    const { message, cause } = error as Error;
    const isTransient = isDatabaseUnavailable(error) || isDatabaseUnavailable(cause);
    if (!isTransient || config.DATABASE_URL === undefined) return false;
    if (servers === undefined) {
      servers = await listenMeanwhile(config);
      process.once('SIGTERM', end).once('SIGINT', end);
    }
    if (message !== reported) say(`${message} Waiting for the database; requests get 503.`);
    reported = message;
    return true;
  };
  try {
    return await retry(open, { while: keepWaiting, pause: () => TRY_AGAIN_MS });
  } finally {
    process.off('SIGTERM', end).off('SIGINT', end);
    await Promise.all((servers ?? []).map(closed));
  }
}

/** Liveness succeeds, and everything else is 503: load balancers see that it is not ready, and orchestrators do not restart it. */
async function listenMeanwhile(config: Config): Promise<Server[]> {
  const baseUrl = config.PUBLIC_URL ?? '';
  const listener: RequestListener = (request, response) => {
    openContext(request, response);
    if (request.url?.split('?', 1)[0] === LIVE)
      response.setHeader('Content-Type', 'application/json').end('{"status":"ok"}');
    else sendProblem(request, response, unavailable(NOT_YET), baseUrl);
  };
  const main = createServer(listener);
  respondToParserErrors(main, baseUrl);
  await listen(main, 'PORT', config);
  if (config.MANAGEMENT_PORT === undefined) return [main];
  const management = createServer(listener);
  respondToParserErrors(management, baseUrl);
  await listen(management, 'MANAGEMENT_PORT', config);
  return [main, management];
}

function closed(server: Server): Promise<unknown> {
  const closing = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  return closing;
}
