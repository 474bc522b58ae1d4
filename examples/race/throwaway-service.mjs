import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';

/** The service as `npm start` starts it, on a port that the system chooses and a database that goes with it. */
export async function startThrowawayService() {
  const postgres = await startThrowawayPostgres();
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', DATABASE_URL: postgres.url, DRAIN_DELAY_MS: '0' };
  const child = spawn(process.execPath, ['dist/src/main.js'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    await postgres.stop();
  };
  const url = await Promise.race([addressIn(child.stdout), exited.then(() => undefined)]);
  if (url !== undefined) return { url, stop };
  await stop();
  throw new Error('The service did not start.');
}

/** Where the service says in its log that it listens. The rest of the log is read too, or the service would wait for that. */
function addressIn(log) {
  return new Promise((resolve) => {
    createInterface(log).on('line', (line) => {
      const [, address] = /"msg":"Listening on (http:[^"]+)"/.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
}
