import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import files, { mkdir, readFile, readdir, rename, rm, utimes } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from '@waybill/embedded-postgres';
import { connect } from '../support/database/test-database.js';
import { eventually } from '../support/races/eventually.js';
import { isRunning } from '../support/service/is-running.js';
import { killHard, spawnService, untilReady } from '../support/service/service-process.js';

const root = join(tmpdir(), `waybill-test-${randomUUID()}`);
const SPECIAL = 'ä b,c%2F"d&e#?+';
/** Was started once, and has a table. */
const used = join(root, SPECIAL);
const running: EmbeddedPostgres[] = [];

beforeAll(async () => {
  await mkdir(root);
  const first = await start(used);
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await Promise.all([first.stop(), first.stop()]);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});
afterAll(() => rm(root, { recursive: true }));

function newFolder(): string {
  return join(root, randomUUID().slice(0, 8));
}

/** A copy of that folder, for what is not about the first start, which takes several times as long. */
async function usedFolder(name = ''): Promise<string> {
  const dataDir = join(newFolder(), name);
  await mkdir(dirname(dataDir), { recursive: true });
  await promisify(execFile)('cp', ['-a', used, dataDir]);
  return dataDir;
}

async function start(dataDir: string, options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' }, ...options });
  running.push(server);
  return server;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
    return rows.flat();
  } finally {
    await client.end();
  }
}

function pidFile(dataDir: string): string {
  return join(dataDir, 'cluster', 'postmaster.pid');
}

async function serverPid(dataDir: string): Promise<number> {
  return Number((await readFile(pidFile(dataDir), 'utf8')).split('\n')[0]);
}

describe('a start', () => {
  it('opens no port and ignores what the environment says about other servers', async () => {
    const other = createServer().on('error', () => undefined);
    other.listen(5432, '127.0.0.1');
    Object.assign(process.env, { PGPORT: '6000', PGSSLMODE: 'require', PGHOST: 'nowhere.invalid' });
    try {
      const { url } = await start(await usedFolder());
      expect(await query(url, 'SHOW listen_addresses')).toEqual(['']);
    } finally {
      for (const name of ['PGPORT', 'PGSSLMODE', 'PGHOST']) Reflect.deleteProperty(process.env, name);
      other.close();
    }
  });

  it('finds the data of the last one in a folder whose name is too long for a socket', async () => {
    const dataDir = await usedFolder('x'.repeat(120));
    const { url } = await start(dataDir);
    expect(await query(url, 'SELECT current_database(), answer FROM kept')).toEqual(['waybill', 42]);
    // A second start is refused by name and process.
    const pid = await serverPid(dataDir);
    await expect(start(dataDir)).rejects.toThrow(new RegExp(`another service uses .*${dataDir}.*${pid}`));
  });

  it('fails with the words of the log when the server does not start, and removes drafts once they are old', async () => {
    const dataDir = await usedFolder();
    await mkdir(join(dataDir, 'cluster.new-old'));
    await mkdir(join(dataDir, 'cluster.new-young'));
    await utimes(join(dataDir, 'cluster.new-old'), 0, 0);
    // A young draft may be in the making.
    const broken = startEmbeddedPostgres({ dataDir, settings: { max_connections: 'many' } });
    await expect(broken).rejects.toThrow(/cannot start[^]*max_connections/);
    const names = await readdir(dataDir);
    expect(names.filter((name) => name.includes('.new-'))).toEqual(['cluster.new-young']);
  });
});

describe('a server that ends unexpectedly', () => {
  it('is restarted with its data, and the last lines of its log are said', async () => {
    const dataDir = await usedFolder();
    const said: string[] = [];
    const { url } = await start(dataDir, { say: (line) => said.push(line) });
    const pid = await serverPid(dataDir);
    process.kill(pid, 'SIGQUIT');
    await eventually(() => said.length === 2, 20_000, 'the end of the server and its restart are said');
    expect(said[0]).toMatch(/exited unexpectedly[^]*received immediate shutdown request/);
    expect(said[1]).toBe('PostgreSQL is running again');
    expect(await query(url, 'SELECT answer FROM kept')).toEqual([42]);
    expect(await serverPid(dataDir)).not.toBe(pid);
  });

  it('is lost when it does not start five times in a row', async () => {
    const dataDir = await usedFolder();
    const cluster = join(dataDir, 'cluster');
    const said: string[] = [];
    const lost: string[] = [];
    await start(dataDir, { say: (line) => said.push(line), onLost: ({ message }) => lost.push(message) });
    const pid = await serverPid(dataDir);
    await rename(cluster, `${cluster}-away`);
    process.kill(pid, 'SIGKILL');
    await eventually(() => lost.length > 0, 60_000, 'the server is lost');
    expect(lost).toEqual([expect.stringContaining('The embedded PostgreSQL has stopped and cannot restart: ')]);
    expect(said.filter((line) => line.includes('could not be restarted'))).toHaveLength(5);
  });
});

describe('a folder', () => {
  it('goes to exactly one of two starts at the same moment, be they the first or later ones', async () => {
    const race = async (dataDir: string) => {
      const outcomes = await Promise.allSettled([start(dataDir), start(dataDir)]);
      const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
      expect(refusals).toEqual([expect.stringContaining('another service uses')]);
      expect(await readdir(dataDir)).not.toContainEqual(expect.stringContaining('.new-'));
    };
    await Promise.all([race(newFolder()), race(await usedFolder())]);
  });
});

describe('after a crash', () => {
  it('the next start waits for the old server to go and finds what was committed', async () => {
    const dataDir = await usedFolder();
    const service = spawnService(dataDir);
    await query(await untilReady(service), 'UPDATE kept SET answer = 43');
    const pid = await serverPid(dataDir);
    process.kill(pid, 'SIGSTOP');
    await killHard(service);
    const read = jest.spyOn(files, 'readFile');
    const next = start(dataDir);
    const looks = () => read.mock.calls.filter(([path]) => path === pidFile(dataDir)).length;
    await eventually(() => looks() > 1, 20_000, 'the start looks again whether the old server is gone');
    read.mockRestore();
    process.kill(pid, 'SIGCONT');
    const { url } = await next;
    expect(await query(url, 'SELECT answer FROM kept')).toEqual([43]);
    await eventually(() => !isRunning(pid), 20_000, 'the old server is gone');
  });

  it('a first start killed in the middle leaves nothing that looks complete', async () => {
    const dataDir = newFolder();
    const service = spawnService(dataDir);
    const drafts = async (): Promise<string[]> => readdir(dataDir).catch(() => []);
    const isBegun = async () => (await drafts()).some((name) => name.startsWith('cluster.new-'));
    await eventually(isBegun, 20_000, 'a cluster is being made');
    await killHard(service);
    expect(await drafts()).not.toContain('cluster');
    const { url } = await start(dataDir);
    expect(await query(url, 'SELECT current_database()')).toEqual(['waybill']);
  });
});
