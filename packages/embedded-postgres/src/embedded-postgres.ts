import { resolve, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { chooseAccount } from './account.js';
import { findBinaries } from './binaries.js';
import { assertOwned, ensureCluster } from './cluster.js';
import { lockHolder, waitUntilFree } from './occupant.js';
import { clusterIn, placeData } from './placement.js';
import { Server } from './server.js';
import { Supervisor } from './supervisor.js';
import { connectionUrl, DATABASE, serverArguments } from './settings.js';
import { makeSocketFolder } from './socket-folder.js';

export { isInstalled } from './binaries.js';
export { FolderInUse } from './occupant.js';

/** Crash recovery may take a while. */
const READY_WITHIN_MS = 60_000;

/** The server cannot be started; the message explains why. */
export class EmbeddedPostgresError extends Error {}

export interface EmbeddedPostgres {
  readonly url: string;
  /** The actual data folder. */
  readonly dataDir: string;
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  /** Server settings, as in postgresql.conf. */
  readonly settings?: Record<string, string>;
  readonly say?: (line: string) => void;
  /** Called when the server has exited and cannot be restarted. */
  readonly onLost?: (error: EmbeddedPostgresError) => void;
}

/** Runs a private PostgreSQL server that listens only on a unix socket. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EmbeddedPostgresError(`The embedded PostgreSQL cannot start: ${reason}`, { cause: error });
  }
}

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { settings = {}, say = () => undefined } = options;
  const wanted = resolve(options.dataDir);
  const onLost = (reason: string) => {
    const lost = new EmbeddedPostgresError(`The embedded PostgreSQL has stopped and cannot restart: ${reason}`);
    if (options.onLost) options.onLost(lost);
    else say(lost.message);
  };
  const account = await chooseAccount(clusterIn(wanted));
  const dataDir = await placeData(account, wanted, say);
  const cluster = clusterIn(dataDir);
  const { initdb, postgres } = await findBinaries(account, say);
  await ensureCluster(initdb, cluster, account);
  await assertOwned(cluster, account);
  const socketFolder = await makeSocketFolder(cluster, account);
  const launch = async (): Promise<Server> => {
    await waitUntilFree(cluster);
    const server = await Server.launch({
      program: postgres,
      arguments: serverArguments(cluster, socketFolder.path, settings),
      account,
      folder: cluster,
      logFile: join(dataDir, 'server.log'),
    });
    try {
      await untilReady(server, cluster, connectionUrl(socketFolder.path, 'postgres'));
      return server;
    } catch (error) {
      await server.stop();
      // Two concurrent starts may both find the folder free; the server of the second one exits at once.
      await waitUntilFree(cluster);
      throw error;
    }
  };
  try {
    const supervisor = await Supervisor.start({ launch, say, onLost });
    const stop = () => supervisor.stop().then(() => socketFolder.remove());
    return { url: connectionUrl(socketFolder.path, DATABASE), dataDir, stop };
  } catch (error) {
    await socketFolder.remove();
    throw error;
  }
}

async function untilReady(server: Server, cluster: string, url: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const failure = await ensureDatabase(server, cluster, url).then(() => undefined, asError);
    if (failure === undefined) return;
    if (server.ending !== undefined) {
      throw new Error(`the server exited (${server.ending}). Its log says:\n${await server.lastLogLines()}`);
    }
    if (Date.now() > deadline) {
      const log = await server.lastLogLines();
      throw new Error(`no response within ${READY_WITHIN_MS / 1000} s (${failure.message}). Its log says:\n${log}`);
    }
    await sleep(25);
  }
}

async function ensureDatabase(server: Server, cluster: string, url: string): Promise<void> {
  if ((await lockHolder(cluster)) !== server.pid) throw new Error('the server has not locked the data folder yet');
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // If the server exits, the client emits an error; the failing query reports the same.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
