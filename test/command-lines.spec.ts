import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** Every program that an npm script runs by itself, and those that are run by their path. */
const PROGRAMS = [
  ...new Set(Object.values(scripts).flatMap((script) => script.split(' && ').filter((one) => one.startsWith('node ')))),
  ...['hostile-cpu', 'replica-cost'].map((name) => `node bench/${name}.mjs`),
  ...readdirSync('scripts')
    .filter((name) => name.endsWith('.sh'))
    .map((name) => `scripts/${name}`),
];

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

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

test('the list has the programs that people run', () => {
  const all = PROGRAMS.join('\n');
  for (const part of [
    'main.js',
    'migrate',
    'seed',
    'archive',
    'document',
    'token',
    'bench/main',
    'fuzz',
    'crash',
    'postman',
  ]) {
    expect(all).toContain(part);
  }
});

describe.each(PROGRAMS)('%s', (program) => {
  test('--help prints what it is for and how it is called, and does nothing else', async () => {
    const before = changedAt();
    const { code, stdout, stderr } = await run(program, '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.length).toBeGreaterThan(60);
    expect(stdout).toMatch(/npm (run|start)|node |scripts\//);
    expect(changedAt()).toEqual(before);
    expect(existsSync(dataDir)).toBe(false);
  });

  if (!UNEXPLAINED.test(program)) {
    test('an option that it does not know ends it with 1, named and without a stack', async () => {
      const { code, stderr } = await run(program, '--no-such-option');
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('--no-such-option') as string });
      expect(stderr).not.toMatch(/^\s+at /m);
      expect(existsSync(dataDir)).toBe(false);
    });
  }
});
