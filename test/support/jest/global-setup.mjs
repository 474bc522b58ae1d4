import { fork } from 'node:child_process';
import { compiledFile, compileSources } from '../../../scripts/sources.mjs';
import { hasPgBouncer } from '../database/pgbouncer.mjs';

/** Starts the servers of a run in a process of its own: Jest would transform the packages that it loads. */
export default async function globalSetup({ testPathPatterns }) {
  skipWithoutPgBouncer();
  const servers = fork('test/support/jest/servers.mjs');
  globalThis.servers = servers;
  const [pattern, ...others] = testPathPatterns.patterns;
  if (pattern !== undefined && others.length === 0 && !pattern.includes('system')) {
    void loadService().catch(() => undefined);
  }
  const { databaseUrl, poolerUrl } = await new Promise((resolve, reject) => {
    servers.once('message', resolve);
    servers.once('exit', (code, signal) =>
      reject(new Error(`The servers of the specs do not start (${signal ?? `exit code ${code}`}): see above`)),
    );
  });
  servers.removeAllListeners('exit');
  servers.once('exit', (code, signal) => {
    process.stderr.write(
      `The servers of the specs ended (${signal ?? `exit code ${code}`}) before the specs did: see above\n`,
    );
    process.exit(1);
  });
  process.env.TEST_DATABASE_URL = databaseUrl;
  if (poolerUrl !== undefined) process.env.TEST_POOLER_URL = poolerUrl;
}

/** For a single spec, which runs in this process, unless it starts the service as another. Fails if packages are not installed yet. */
async function loadService() {
  await compileSources();
  await import(compiledFile('src/app.module.ts'));
}

/** In continuous integration the missing tool is a failure, or nobody would notice that these tests no longer run. */
function skipWithoutPgBouncer() {
  if (process.env.TEST_THROUGH_PGBOUNCER === undefined || process.env.CI !== undefined || hasPgBouncer()) return;
  process.stderr.write('Skipped: there is no pgbouncer; scripts/install-test-tools.sh installs it\n');
  process.exit(0);
}
