import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/races/eventually.js';
import { notThereOnce, openTransactions } from '../support/races/exactly-once.js';
import { Load } from '../support/races/load.js';
import { PostgresServer } from '../support/database/postgres-server.js';
import { Replica } from '../support/service/replica.js';
import { keptConnections } from '../support/http/send.js';
import { timeoutsWithin } from '../support/service/timeouts.js';

/** A disk of its own that can be filled without harm: a small file system in memory. */
function mountSmallDisk(megabytes: number): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
}

/** Only a service that has got stuck takes so long. */
const PATIENCE_MS = 60_000;

const disk = mountSmallDisk(160);
const testWithDisk = disk === undefined ? test.skip : test;

afterAll(() => {
  if (disk === undefined) return;
  execFileSync('umount', ['--lazy', disk]);
  rmSync(disk, { recursive: true, force: true });
});

testWithDisk('503 while the disk is full (needs the right to mount), and nothing accepted is lost', async () => {
  const folder = join(disk ?? '', 'server');
  const server = await PostgresServer.start({ folder, settings: { max_wal_size: '32MB', min_wal_size: '32MB' } });
  const replica = await Replica.start({
    DATABASE_URL: server.url,
    POOL_ACQUIRE_TIMEOUT_MS: '500',
    ...timeoutsWithin(1000),
    DRAIN_DELAY_MS: '0',
  });
  const { send, close } = keptConnections(replica.url);
  const load = new Load(send, { writers: 4, readers: 1, pauseMs: 5 }).start();
  const ballast = join(disk ?? '', 'ballast');
  try {
    await eventually(() => load.accepted.length > 20, PATIENCE_MS, 'the load runs');
    // A table and the log of changes both want to grow: whichever is first refused, clients must only see 503.
    const { bavail, bsize } = statfsSync(disk ?? '');
    await writeFile(ballast, Buffer.alloc(bavail * bsize)).catch(() => undefined);
    await server
      .sql(`CREATE TABLE hoard AS SELECT repeat('x', 500) AS x FROM generate_series(1, 400000)`)
      .catch(() => undefined);
    // Every client is told of it while it lasts.
    await eventually(() => load.count(/ 503$/) > 50, PATIENCE_MS, 'the full disk is felt');
    await truncate(ballast, 0);
    await eventually(
      async () => (await server.sql('SELECT 1').catch(() => [])).length === 1,
      PATIENCE_MS,
      'the database is back',
    );
    const before = load.accepted.length;
    await eventually(() => load.accepted.length > before + 10, PATIENCE_MS, 'writes succeed again');
  } finally {
    await load.stop();
    close();
  }
  expect(load.faults).toEqual([]);
  expect(await notThereOnce(server, load.accepted)).toEqual([]);
  await eventually(async () => (await openTransactions(server)) === 0, PATIENCE_MS, 'no transaction is open');
  expect(await replica.stop()).toBe(0);
  await server.remove();
});
