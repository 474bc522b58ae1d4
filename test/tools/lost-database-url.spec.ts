import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The operators' commands, where the embedded PostgreSQL is installed, as in a checkout that serves production. */
const COMMANDS: [name: string, ...words: string[]][] = [
  ['archive', 'archive', '--before', '2020-01', '--to', '.'],
  ['archive', 'restore', 'history-2020-01.tsv.gz'],
  ['erase', '--subject', 'ada'],
  ['check-database'],
  ['migrate'],
];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-lost-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function run([name, ...words]: readonly [string, ...string[]], environment: Record<string, string> = {}) {
  const program = resolve(`dist/tools/${name}/main.js`);
  const env = { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data'), ...environment };
  const { status, stderr } = spawnSync(process.execPath, [program, ...words], { cwd: folder, env, encoding: 'utf8' });
  return { status, stderr };
}

/** A variable without a value counts as missing. */
test.each(COMMANDS)('with an empty DATABASE_URL, %s %s starts no PostgreSQL of its own', (...command) => {
  const { status, stderr } = run(command, { DATABASE_URL: '' });
  expect([status, stderr]).toEqual([1, expect.stringMatching(/\bDATABASE_URL\b/)]);
  expect(stderr).not.toContain('Cannot connect');
  expect(readdirSync(folder)).toEqual([]);
});

test.each([['check-database'], ['erase', '--subject', 'ada']] as typeof COMMANDS)(
  '%s %s reads DATABASE_URL from .env',
  (...command) => {
    writeFileSync(join(folder, '.env'), 'DATABASE_URL=postgres://nobody@127.0.0.1:1/from-file\n');
    const { status, stderr } = run(command);
    expect([status, stderr]).toEqual([1, expect.stringContaining('"from-file" at 127.0.0.1:1')]);
  },
);
