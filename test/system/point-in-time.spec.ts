import { execFile } from 'node:child_process';
import { chmod, chown, cp, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { debianPostgres } from '../support/database/debian-postgres.mjs';
import { eventually } from '../support/races/eventually.js';
import { notThereOnce } from '../support/races/exactly-once.js';
import { Load } from '../support/races/load.js';
import { PostgresServer } from '../support/database/postgres-server.js';
import { Replica } from '../support/service/replica.js';
import { keptConnections } from '../support/http/send.js';

const PATIENCE_MS = 60_000;
const WRITES = 50;

let server: PostgresServer;
let replica: Replica;
let archive: string;
let backup: string;

beforeAll(async () => {
  server = await PostgresServer.start({ binDir: debianPostgres() });
  await server.stop();
  [archive, backup] = [`${server.cluster}-archive`, `${server.cluster}-backup`];
  for (const folder of [archive, backup]) await give(folder);
  await server.startAgain({ archive_mode: 'on', archive_command: `cp %p ${archive}/%f`, wal_level: 'replica' });
  replica = await Replica.start({ DATABASE_URL: server.url, DRAIN_DELAY_MS: '0' });
});
afterAll(async () => {
  await replica.stop();
  await server.remove();
});

/** A folder of the account that PostgreSQL runs as. */
async function give(folder: string): Promise<void> {
  const { uid, gid } = await stat(server.cluster);
  await mkdir(folder, { recursive: true });
  await chown(folder, uid, gid);
  await chmod(folder, 0o700);
}

async function writeUnderLoad(meanwhile: () => Promise<unknown> = () => Promise.resolve()): Promise<Load> {
  const { send, close } = keptConnections(replica.url);
  const load = new Load(send, { writers: 4, readers: 1, pauseMs: 5 }).start();
  await eventually(() => load.accepted.length > WRITES, PATIENCE_MS, 'the load runs');
  await meanwhile();
  const before = load.accepted.length;
  await eventually(() => load.accepted.length > before + WRITES, PATIENCE_MS, 'the load continues');
  await load.stop();
  close();
  expect(load.faults).toEqual([]);
  return load;
}

async function baseBackup(): Promise<void> {
  const { uid, gid } = await stat(server.cluster);
  const options = ['--dbname', server.url, '--pgdata', backup, '--checkpoint', 'fast', '--wal-method', 'none'];
  const account = process.getuid?.() === 0 ? { uid, gid } : {};
  await promisify(execFile)(`${debianPostgres()}/pg_basebackup`, options, account);
}

/** As if the machine were lost, and another one were made from the backup and the archive. */
async function restoreTo(moment: string): Promise<void> {
  await server.stop();
  await rm(server.cluster, { recursive: true });
  await cp(backup, server.cluster, { recursive: true, preserveTimestamps: true });
  await promisify(execFile)('chown', ['--recursive', '--reference', backup, server.cluster]);
  const signal = `${server.cluster}/recovery.signal`;
  await writeFile(signal, '');
  await promisify(execFile)('chown', ['--reference', backup, signal]);
  await server.startAgain({
    restore_command: `cp ${archive}/%f %p`,
    recovery_target_time: moment,
    recovery_target_action: 'promote',
  });
  const isOver = async () => {
    const [row] = await server.sql<{ recovering: boolean }>('SELECT pg_is_in_recovery() AS recovering');
    return row?.recovering === false;
  };
  await eventually(isOver, PATIENCE_MS, 'recovery has ended');
}

test('restored to a moment between two writes, a database has exactly the writes before it, and refuses cursors from after it', async () => {
  const kept = await writeUnderLoad(baseBackup);
  const [now] = await server.sql<{ moment: string }>('SELECT clock_timestamp()::text AS moment');
  const lost = await writeUnderLoad();
  const feed = async () => (await replica.api.get('/v1/events?after=now')).headers.get('Link') ?? '';
  const path = /<([^>]+)>/.exec(await feed())?.[1] ?? '';
  await server.sql('SELECT pg_switch_wal()');
  const archived = async () => {
    const waiting = await server.sql(`SELECT FROM pg_ls_archive_statusdir() WHERE name LIKE '%.ready'`);
    return waiting.length === 0;
  };
  await eventually(archived, PATIENCE_MS, 'all changes are archived');

  await restoreTo(now?.moment ?? '');
  await eventually(() => replica.isReady(), PATIENCE_MS, 'the service is ready again');

  expect(await notThereOnce(server, kept.accepted)).toEqual([]);
  expect(await notThereOnce(server, lost.accepted)).toEqual(lost.accepted);
  const { status, body } = await replica.api.get(path);
  expect([status, body.code]).toEqual([410, 'EVENTS_GONE']);
  const [last] = lost.accepted.filter(({ id }) => kept.accepted.some((write) => write.id === id)).slice(-1);
  if (last !== undefined) {
    expect((await replica.api.patch(`/v1/shipments/${last.id}`, last.eTag, {})).status).toBe(412);
  }
  // The restored database goes on, with versions that no lost one has had.
  const after = await writeUnderLoad();
  const before = new Set(lost.accepted.map(({ eTag }) => eTag));
  expect(after.accepted.filter(({ eTag }) => before.has(eTag))).toEqual([]);
});
