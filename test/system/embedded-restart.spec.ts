import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { eventually } from '../support/races/eventually.js';
import { createMove } from '../support/records/records.js';
import { Replica } from '../support/service/replica.js';

const root = join(tmpdir(), `waybill-test-${randomUUID().slice(0, 8)}`);
const cluster = join(root, 'cluster');
let replica: Replica;

beforeAll(async () => {
  replica = await Replica.start({ DATA_DIR: root, DRAIN_DELAY_MS: '0' });
});
afterAll(async () => {
  await replica.kill();
  await rm(root, { recursive: true, force: true });
});

async function postmaster(): Promise<number> {
  return Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

async function someBackend(): Promise<number> {
  const client = new Client({ user: 'waybill', database: 'waybill', host: cluster, port: 5432 });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'waybill' LIMIT 1`,
  );
  await client.end();
  return rows[0]?.pid ?? 0;
}

async function reads(path: string): Promise<boolean> {
  const answer = await replica.api.get(path);
  if (answer.status !== 200) expect(answer.status).toBe(503);
  return answer.status === 200;
}

describe('the service keeps all its data after', () => {
  // The restarts within a minute are counted, and the tests below need all of them.
  afterAll(async () => {
    await replica.stop();
    await replica.startAgain();
  });

  test.each(['SIGKILL', 'SIGQUIT', 'SIGINT', 'SIGTERM'] as const)('%s to its PostgreSQL', async (signal) => {
    const move = await createMove(replica.api);
    const [service, server, said] = [replica.pid, await postmaster(), replica.lines.length];
    process.kill(server, signal);
    await eventually(
      () => replica.lines.slice(said).some((line) => line.includes('is running again')),
      40_000,
      'a restart',
    );
    await eventually(() => reads(`/v1/moves/${move.id}`), 20_000, 'the move is there');
    expect(await postmaster()).not.toBe(server);
    expect([replica.pid, replica.isRunning]).toEqual([service, true]);
    expect(replica.lines.slice(said).join('\n')).toContain('PostgreSQL exited unexpectedly');
    await createMove(replica.api);
  });

  test('SIGKILL to one of the processes that serve it', async () => {
    const move = await createMove(replica.api);
    const server = await postmaster();
    process.kill(await someBackend(), 'SIGKILL');
    await eventually(() => reads(`/v1/moves/${move.id}`), 20_000, 'the move is there');
    expect(await postmaster()).toBe(server);
  });
});

describe('when its PostgreSQL cannot be started again', () => {
  const away = join(root, 'away');

  test.each([
    ['its data folder is gone', () => rename(cluster, away), () => rename(away, cluster)],
    ['it refuses its data', () => truncateVersion(), () => restoreVersion()],
  ])('the service exits with 1 and says why: %s', async (_, spoil, mend) => {
    const [server, said] = [await postmaster(), replica.lines.length];
    await spoil();
    process.kill(server, 'SIGKILL');
    expect(await replica.exit).toBe(1);
    const words = replica.lines.slice(said).join('\n');
    expect(words).toContain('The embedded PostgreSQL has stopped and cannot restart: ');
    expect(words.match(/could not be restarted/g)).toHaveLength(5);
    expect(words).not.toMatch(/^\s+at /m);
    await mend();
    await replica.startAgain();
  });

  test('SIGTERM between two tries ends the service at once and with 0', async () => {
    const [server, said] = [await postmaster(), replica.lines.length];
    await rename(cluster, away);
    process.kill(server, 'SIGKILL');
    await eventually(() => replica.lines.slice(said).some((line) => line.includes('could not be')), 20_000, 'a try');
    expect(await replica.stop()).toBe(0);
    await rename(away, cluster);
  });
});

const version = join(cluster, 'PG_VERSION');
let contents: Buffer;

async function truncateVersion(): Promise<void> {
  contents = await readFile(version);
  await truncate(version);
}

async function restoreVersion(): Promise<void> {
  await writeFile(version, contents);
}
