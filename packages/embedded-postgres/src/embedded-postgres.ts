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

export { FolderInUse } from './occupant.js';

/** Recovery after a crash replays the log first, which may take its time. */
const READY_WITHIN_MS = 60_000;

/** The server cannot be started; the message says why. */
export class EmbeddedPostgresError extends Error {}

export interface EmbeddedPostgres {
  readonly url: string;
  /** The folder that really holds the data. */
  readonly dataDir: string;
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  /** Server settings, as in postgresql.conf. */
  readonly settings?: Record<string, string>;
  readonly say?: (line: string) => void;
  /** Called when the server has ended and cannot be restarted. */
  readonly onLost?: (error: EmbeddedPostgresError) => void;
}

/** Runs a PostgreSQL server of the service's own, reachable through a unix socket only. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EmbeddedPostgresError(`The embedded PostgreSQL does not start: ${reason}`, { cause: error });
  }
}

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { settings = {}, say = () => undefined } = options;
  const wanted = resolve(options.dataDir);
  const onLost = (reason: string) => {
    const lost = new EmbeddedPostgresError(`The embedded PostgreSQL was lost and does not start again: ${reason}`);
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
      // Two starts at the same moment both find the folder free; the loser's server ends at once.
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
      throw new Error(`the server ended (${server.ending}). Its log says:\n${await server.lastLogLines()}`);
    }
    if (Date.now() > deadline) {
      const log = await server.lastLogLines();
      throw new Error(`no answer within ${READY_WITHIN_MS / 1000} s (${failure.message}). Its log says:\n${log}`);
    }
    await sleep(25);
  }
}

async function ensureDatabase(server: Server, cluster: string, url: string): Promise<void> {
  if ((await lockHolder(cluster)) !== server.pid) throw new Error('the server has not yet taken the data folder');
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A server that ends meanwhile reports it as an event; the failing query tells the same.
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
