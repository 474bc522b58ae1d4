import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { COMMANDS, GROUPS } from '../../scripts/commands.mjs';

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** Every program of ours that an npm script runs, with the words that the script gives it. */
const PROGRAMS = [
  ...new Set([
    ...Object.values(scripts)
      // The first runs the second in its own process.
      .map((script) => script.replace('scripts/start.mjs', 'dist/src/main.js'))
      .flatMap((script) => script.split(' && '))
      .flatMap((one) => /^(?:exec )?node (?:--\S+ )*(?!node_modules\/|scripts\/run\.mjs)(.+)$/.exec(one)?.[1] ?? []),
    ...[
      ...Object.values(COMMANDS).flatMap(({ programs }) => programs),
      ...Object.values(GROUPS).flatMap(chosenPrograms),
    ]
      .map((words) => words.join(' ').replace(/^scripts\/typescript\.mjs /, ''))
      .filter((program) => !/^(node_modules\/|--eval )/.test(program)),
    // The other group, demo, gives an option to the program that it has by default.
    ...['campaign', 'bench'].map((name) => `scripts/run.mjs ${name}`),
  ]),
];

function chosenPrograms(group: (typeof GROUPS)['campaign']): (readonly string[])[] {
  return Object.values(group).map(({ program }) => program);
}

const SHELL_SCRIPTS = [
  ...readdirSync('scripts').flatMap((name) => (name.endsWith('.sh') ? [`scripts/${name}`] : [])),
  'deploy/restore-drill.sh',
];

const dataDir = join(tmpdir(), `waybill-help-${process.pid}`);
const OUTPUTS = ['openapi.json', 'client/src/api.ts'];

/** Nothing that a program could reach; .env is not read before the command line is. */
const ENVIRONMENT = { PATH: process.env['PATH'], DATA_DIR: dataDir, DATABASE_URL: 'postgres://127.0.0.1:1/nowhere' };

const LINES = [
  ...PROGRAMS.map((program) => `${program} --help`),
  ...PROGRAMS.map((program) => `${program} --no-such-option`),
];
let outcomes: Record<string, Outcome>;

function changedAt(): object {
  return Object.fromEntries(OUTPUTS.map((path) => [path, statSync(path).mtimeMs]));
}

const before = changedAt();

/** All in one process: each of its own would take half a second of CPU time to load. */
beforeAll(async () => {
  const child = fork('test/support/repository/try-command-lines.mjs', LINES, { env: ENVIRONMENT });
  const died = once(child, 'exit').then(([code]) => Promise.reject(new Error(`It ended with ${String(code)}.`)));
  [outcomes] = (await Promise.race([once(child, 'message'), died])) as [typeof outcomes];
  child.kill('SIGKILL');
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

function expectUsage(text: string): void {
  expect(text.length).toBeGreaterThan(60);
  expect(text).toMatch(/npm (run|start)|node |(scripts|deploy)\//);
}

test('the list has the programs that people run', () => {
  const all = PROGRAMS.join('\n');
  for (const part of [
    'dist/src/main.js',
    'scripts/dev',
    'migrate',
    'seed',
    'archive',
    'openapi',
    'token',
    'bench/main',
    'fuzz',
    'crash',
  ]) {
    expect(all).toContain(part);
  }
});

test.each(PROGRAMS)('--help prints what it is for and how it is called: %s', (program) => {
  const outcome = outcomes[`${program} --help`];
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expectUsage(outcome?.stdout ?? '');
});

test.each(SHELL_SCRIPTS)('--help prints what it is for and how it is called: %s', async (name) => {
  const { stdout } = await promisify(execFile)(name, ['--help'], { env: ENVIRONMENT });
  expectUsage(stdout);
});

test.each(PROGRAMS)('an option that it does not know ends it with 1, named and without a stack: %s', (program) => {
  const outcome = outcomes[`${program} --no-such-option`];
  expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('--no-such-option') as string });
  expect(outcome?.stderr).not.toMatch(/^\s+at /m);
  expectUsage(outcome?.stderr ?? '');
});

test('neither does anything else', () => {
  expect(changedAt()).toEqual(before);
  expect(existsSync(dataDir)).toBe(false);
});
