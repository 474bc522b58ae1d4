import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import { isDatabaseUnavailable } from '../problem/database-problem.js';
import { WaitingServer } from './waiting-server.js';

const TRY_AGAIN_MS = 1000;

/**
 * Opens the database. When it is away, the ports of the service say so until it comes. A failure that does not pass by itself, such
 * as a wrong password, is thrown; so is a failure of the embedded database, which nobody else will start.
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
  // As the first process of a container, the service would not end at these signals without a listener.
  const end = () => process.exit(0);
  process.once('SIGTERM', end).once('SIGINT', end);
  try {
    for (let found: Opened | PassingFailure = first, told = ''; ; found = await open().catch(passingFailure)) {
      if (!(found instanceof PassingFailure)) return found;
      if (found.message !== told) say(`${found.message} The service waits for it and answers 503 meanwhile.`);
      told = found.message;
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
