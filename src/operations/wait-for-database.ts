import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import { isDatabaseUnavailable } from '../problem/database-problem.js';
import { WaitingServer } from './waiting-server.js';

const TRY_AGAIN_MS = 1000;

/**
 * Opens the database. While it is unavailable, the ports of the service return 503. Throws permanent failures, such as a wrong password,
 * and any failure of the embedded database, which nothing else would start.
 */
export async function waitForDatabase<Opened>(
  open: () => Promise<Opened>,
  config: Config,
  say: (line: string) => void,
): Promise<Opened> {
  const first = await open().catch(passingFailure);
  if (!(first instanceof PassingFailure)) return first;
  if (config.DATABASE_URL === undefined) throw first.cause;
  const server = await WaitingServer.start(config);
  // As process 1 of a container, the service would ignore these signals without a listener.
  const end = () => process.exit(0);
  process.once('SIGTERM', end).once('SIGINT', end);
  try {
    for (let found: Opened | PassingFailure = first, reported = ''; ; found = await open().catch(passingFailure)) {
      if (!(found instanceof PassingFailure)) return found;
      if (found.message !== reported) say(`${found.message} Waiting for the database; requests get 503.`);
      reported = found.message;
      await sleep(TRY_AGAIN_MS);
    }
  } finally {
    process.off('SIGTERM', end).off('SIGINT', end);
    await server.close();
  }
}

class PassingFailure {
  constructor(
    readonly message: string,
    readonly cause: unknown,
  ) {}
}

function passingFailure(error: unknown): PassingFailure {
  const { message, cause } = error as Error;
  if (!isDatabaseUnavailable(error) && !isDatabaseUnavailable(cause)) throw error;
  return new PassingFailure(message, error);
}
