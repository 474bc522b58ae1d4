import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';

/** Starts the service like `npm start`, on a free port with a temporary database. */
export async function startThrowawayService() {
  const postgres = await startThrowawayPostgres();
  try {
    const service = await startService({ PATH: process.env.PATH, PORT: '0', DATABASE_URL: postgres.url });
    const stop = async () => {
      await service.stop();
      await postgres.stop();
    };
    return { url: service.url, stop };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** Starts only the service, of this checkout or of that in a folder, with its own environment. */
export async function startService(environment, folder) {
  const env = { HOST: '127.0.0.1', DRAIN_DELAY_MS: '0', ...environment };
  const child = spawn(process.execPath, ['dist/src/main.js'], {
    env,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  const url = await Promise.race([addressIn(child.stdout), exited.then(() => undefined)]);
  if (url !== undefined) return { url, stop, exited };
  await stop();
  throw new Error('The service did not start.');
}

/** Reads the URL from the log. Keeps reading the log, or the service would block on a full pipe. */
function addressIn(log) {
  return new Promise((resolve) => {
    createInterface(log).on('line', (line) => {
      const [, address] = /"msg":"Listening on (http:[^"]+)"/.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
}
