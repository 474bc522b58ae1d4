import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { chooseAccount } from '../../../packages/embedded-postgres/dist/account.js';
import { ensureCluster } from '../../../packages/embedded-postgres/dist/cluster.js';
import { Server } from '../../../packages/embedded-postgres/dist/server.js';
import { connectionUrl, DATABASE, serverArguments } from '../../../packages/embedded-postgres/dist/settings.js';
import { debianPostgres } from './debian-postgres.mjs';

const SETTINGS = {
  // PostgreSQL translates messages in any locale except C. LANGUAGE selects the language, so no locale must be generated.
  lc_messages: 'C.UTF-8',
  fsync: 'off',
  max_connections: '300',
};

/** Debian's PostgreSQL with messages in another language. The embedded binaries have no translations. */
export async function startTranslatedPostgres(language) {
  const folder = join(tmpdir(), `waybill-${language}-${randomUUID().slice(0, 8)}`);
  const cluster = join(folder, 'cluster');
  const account = await chooseAccount(folder);
  const programs = debianPostgres();
  await ensureCluster(join(programs, 'initdb'), cluster, account);
  const server = await Server.launch({
    program: 'env',
    arguments: [`LANGUAGE=${language}`, join(programs, 'postgres'), ...serverArguments(cluster, cluster, SETTINGS)],
    account,
    folder: cluster,
    logFile: join(folder, 'server.log'),
  });
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await createDatabase(connectionUrl(cluster, 'postgres'), server);
    return { url: connectionUrl(cluster, DATABASE), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function createDatabase(url, server) {
  const client = await connect(url, server);
  try {
    const failure = await client.query('SELECT 1 / 0').catch((error) => error);
    if (failure.severity === 'ERROR') {
      throw new Error(`This PostgreSQL has no translations, or its messages are English: ${failure.message}`);
    }
    await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}

async function connect(url, server) {
  for (let turn = 0; ; turn += 1) {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    const failure = await client.connect().then(
      () => undefined,
      (error) => error,
    );
    if (failure === undefined) return client;
    if (turn > 200 || server.ending !== undefined) {
      throw new Error(`Debian's PostgreSQL does not start: ${await server.lastLogLines()}`, { cause: failure });
    }
    await sleep(50);
  }
}
