import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS, GROUPS } from '../../scripts/commands.mjs';
import { shareOf } from '../support/repository/sweeps.js';

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** Every program of ours that an npm script runs, and those that are run by their path. */
const PROGRAMS = [
  ...new Set([
    ...Object.values(scripts)
      .flatMap((script) => script.replace(/^: .*?; /, '').split(' && '))
      .map((one) => one.replace(/^exec /, ''))
      .filter((one) => /^node (?!node_modules\/|scripts\/run\.mjs)/.test(one)),
    ...[...Object.values(COMMANDS).flat(), ...Object.values(GROUPS).flatMap(chosenPrograms)]
      .filter(([first = '']) => !first.startsWith('node_modules/') && first !== '--eval')
      .map((program) => `node ${program.join(' ')}`),
    ...Object.keys(GROUPS).map((name) => `node scripts/run.mjs ${name}`),
  ]),
  ...readdirSync('scripts')
    .filter((name) => name.endsWith('.sh'))
    .map((name) => `scripts/${name}`),
];

function chosenPrograms(group: (typeof GROUPS)['campaign']): (readonly string[])[] {
  return Object.values(group).map(({ program }) => program);
}

const dataDir = join(tmpdir(), `waybill-help-${process.pid}`);
const OUTPUTS = [
  'openapi.json',
  'client/src/api.ts',
  'docs/waybill.postman_collection.json',
  'api/released-openapi.json',
];

/** Nothing that a program could reach; .env is not read before the command line is. */
const ENVIRONMENT = { PATH: process.env['PATH'], DATA_DIR: dataDir, DATABASE_URL: 'postgres://127.0.0.1:1/nowhere' };

function run(program: string, option: string): Promise<Outcome> {
  const [command, ...words] = program.split(' ') as [string, ...string[]];
  return new Promise((resolve) => {
    execFile(command, [...words, option], { env: ENVIRONMENT, timeout: 50_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

function changedAt(): number[] {
  return OUTPUTS.map((path) => statSync(path).mtimeMs);
}

/** Shell scripts, and steps of a build that nobody calls with options. */
const UNEXPLAINED = /\.sh$|client\/build|postman/;

/**
 * What reads its command line with the service's own reader answers `--help` as all such programs do, with the usage that it also
 * prints after an unknown option. Each start takes a second or more, so `--help` is tried with the first of them and all others.
 */
const WITH_READER = PROGRAMS.filter((program) => {
  const file = program.split(' ').find((word) => /(?<!typescript)\.(js|mjs|ts)$/.test(word));
  return file !== undefined && readFileSync(file, 'utf8').includes('readCommandLine(');
});
const ASKED_FOR_HELP = PROGRAMS.filter((program) => !WITH_READER.slice(1).includes(program));
/** An unknown option is tried with a third of them and all others; the sweeps try all. */
const TRIED_WITH_READER = shareOf(WITH_READER, 0, 3);
const GIVEN_UNKNOWN_OPTION = PROGRAMS.filter(
  (program) => !UNEXPLAINED.test(program) && (!WITH_READER.includes(program) || TRIED_WITH_READER.includes(program)),
);

function expectUsage(text: string): void {
  expect(text.length).toBeGreaterThan(60);
  expect(text).toMatch(/npm (run|start)|node |scripts\//);
}

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

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
    'postman',
  ]) {
    expect(all).toContain(part);
  }
});

test.each(ASKED_FOR_HELP)(
  '--help prints what it is for and how it is called, and does nothing else: %s',
  async (program) => {
    const before = changedAt();
    const { code, stdout, stderr } = await run(program, '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expectUsage(stdout);
    expect(changedAt()).toEqual(before);
    expect(existsSync(dataDir)).toBe(false);
  },
);

test.each(GIVEN_UNKNOWN_OPTION)(
  'an option that it does not know ends it with 1, named and without a stack, and does nothing else: %s',
  async (program) => {
    const before = changedAt();
    const { code, stderr } = await run(program, '--no-such-option');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('--no-such-option') as string });
    expect(stderr).not.toMatch(/^\s+at /m);
    if (WITH_READER.includes(program)) expectUsage(stderr);
    expect(changedAt()).toEqual(before);
    expect(existsSync(dataDir)).toBe(false);
  },
);
