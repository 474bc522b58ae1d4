import { randomBytes, randomUUID } from 'node:crypto';
import { execFile, spawn } from 'node:child_process';
import { chmod, chown, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@waybill/embedded-postgres';
import { connect } from '../support/database/test-database.js';
import { shareOf } from '../support/repository/sweeps.js';
import { killHard } from '../support/service/service-process.js';

const run = promisify(execFile);

const root = join(tmpdir(), `waybill-test-${randomUUID()}`);
const dataDir = join(root, 'data');
const cluster = join(dataDir, 'cluster');
const POSTMASTER_PID = join(cluster, 'postmaster.pid');
const LOCKS = [POSTMASTER_PID, join(cluster, '.s.PGSQL.5432.lock')];
let owner: { uid: number; gid: number };
let server: EmbeddedPostgres | undefined;

async function start(): Promise<EmbeddedPostgres> {
  server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
  return server;
}

async function answer(url: string): Promise<unknown> {
  const client = await connect(url);
  try {
    return (await client.query<{ answer: number }>('SELECT answer FROM kept')).rows[0]?.answer;
  } finally {
    await client.end();
  }
}

async function write(path: string, content: string | Buffer): Promise<void> {
  await writeFile(path, content);
  await chown(path, owner.uid, owner.gid);
}

beforeAll(async () => {
  await mkdir(root);
  const { url, stop } = await start();
  const client = await connect(url);
  await client.query('CREATE TABLE kept AS SELECT 42 AS answer');
  await client.end();
  await stop();
  owner = await stat(cluster);
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  for (const path of LOCKS) await rm(path, { recursive: true, force: true });
});
afterAll(() => rm(root, { recursive: true }));

/** The rest of a postmaster.pid, behind the process id. */
const REST = `\n${cluster}\n1\n5432\n${cluster}\n\n1 1\nready   \n`;

const CONTENTS: [string, string | Buffer][] = [
  ['empty', ''],
  ['a blank line', '\n'],
  ['zero bytes, as after a crash of the machine', Buffer.alloc(64)],
  ['binary garbage', Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), randomBytes(200)])],
  ['words', 'not a process'],
  ['zero', `0${REST}`],
  ['a negative number', `-${process.pid}${REST}`],
  ['a number beyond any process id', `99999999999999999999${REST}`],
  ['a number beyond 32 bits', `${2 ** 32 + process.pid}${REST}`],
  ['a fraction', `1.5${REST}`],
  ['a number with a tail', `${process.pid}x${REST}`],
  ['the first process of the system', `1${REST}`],
  ['a dead process', `999999${REST}`],
  ['a dead process and no further lines', '999999'],
  ['nothing but the socket of nobody', `\n\n\n5432\n/nowhere\n`],
];

const WHILE_RUNNING = CONTENTS.filter(([what]) => /^(empty|binary|a dead process and)/.test(what));

describe.each(LOCKS.map((path, place) => [basename(path), place] as const))('%s', (name, place) => {
  const path = join(cluster, name);

  test.each(shareOf(CONTENTS, place, LOCKS.length))('does not stop the start when it holds %s', async (_, content) => {
    await write(path, content);
    expect(await answer((await start()).url)).toBe(42);
  });

  test('does not stop the start when it names a living process that is no server', async () => {
    const stranger = spawn('sleep', ['60'], owner);
    try {
      await write(path, `${String(stranger.pid)}${REST}`);
      expect(await answer((await start()).url)).toBe(42);
    } finally {
      await killHard(stranger);
    }
  });

  test('starts, or says what to do, when it cannot be read', async () => {
    await write(path, `999999${REST}`);
    await chmod(path, 0);
    const outcome = await start().then(({ url }) => answer(url), String);
    expect([42, expect.stringMatching(/cannot be read \(EACCES\): remove it/)]).toContainEqual(outcome);
  });

  test('says what to do when it is a folder', async () => {
    await mkdir(path);
    await expect(start()).rejects.toThrow(new RegExp(`${name.replaceAll('.', '\\.')} is a folder.*remove`));
  });
});

// The server has to be seen without the file, or two would write to the same data. Each start waits for it for three seconds.
test('a lock file is left alone while a server runs, whatever it holds', async () => {
  const cases = LOCKS.flatMap((path, place) =>
    shareOf(WHILE_RUNNING, place, LOCKS.length).map(([, content]) => ({ name: basename(path), content })),
  );
  await Promise.all(
    cases.map(async ({ name, content }, index) => {
      const copy = join(root, `copy-${index}`);
      await run('cp', ['-a', dataDir, copy]);
      const running = await startEmbeddedPostgres({ dataDir: copy, settings: { fsync: 'off' } });
      try {
        const path = join(copy, 'cluster', name);
        const before = await readFile(path);
        await write(path, content);
        const written = await readFile(path);
        await expect(startEmbeddedPostgres({ dataDir: copy })).rejects.toThrow(/another service uses the data folder/);
        expect(await readFile(path)).toEqual(written);
        expect(await answer(running.url)).toBe(42);
        await write(path, before);
      } finally {
        await running.stop();
      }
    }),
  );
});
