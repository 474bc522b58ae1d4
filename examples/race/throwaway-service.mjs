import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';

/** The service as `npm start` starts it, on a free port and a database that goes with it. */
export async function startThrowawayService() {
  const postgres = await startThrowawayPostgres();
  const port = await freePort();
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), DATABASE_URL: postgres.url };
  const child = spawn(process.execPath, ['dist/src/main.js'], {
    env: { ...env, LOG_LEVEL: 'warn', DRAIN_DELAY_MS: '0' },
    stdio: 'inherit',
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    await postgres.stop();
  };
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) {
    if (child.exitCode !== null) {
      await stop();
      throw new Error('The service did not start.');
    }
    await sleep(50);
  }
  return { url, stop };
}

function isReady(url) {
  return fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
