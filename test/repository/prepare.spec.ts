import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../support/races/eventually.js';
import { isRunning } from '../support/service/is-running.js';

/** Writes what it builds, and its process id; waits for ever while there is a file named `hang`. */
const BUILDER = `
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
const target = process.argv.at(-1);
appendFileSync('builds', process.pid + '\\n');
if (existsSync('hang')) setInterval(() => undefined, 1000);
else {
  mkdirSync(target);
  writeFileSync(target + '/built', '');
}
`;

let folder: string;
let checkout: string;

/** A checkout with one package, which is also what builds. It comes from a file, so that no registry is needed. */
beforeAll(async () => {
  folder = checkout = await newFolder();
  await mkdir(join(folder, 'scripts'));
  for (const name of ['prepare', 'prepared', 'read-word', 'lock', 'owner']) {
    await cp(`scripts/${name}.mjs`, join(folder, `scripts/${name}.mjs`));
  }
  await write('scripts/compile.mjs', BUILDER);
  await write('console/index.html', '');
  await usePackage('1.0.0');
});
beforeEach(async () => {
  folder = await copyOf(checkout);
});
afterEach(() => rm(folder, { recursive: true, force: true }));
afterAll(() => rm(checkout, { recursive: true, force: true }));

function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'waybill-prepare-'));
}

async function copyOf(original: string): Promise<string> {
  const copy = await newFolder();
  await cp(original, copy, { recursive: true });
  return copy;
}

async function write(path: string, content: string | object): Promise<void> {
  await mkdir(join(folder, path, '..'), { recursive: true });
  await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
}

/** Writes what `npm pack` and `npm install --package-lock-only` would. */
async function usePackage(version: string): Promise<void> {
  const file = `vite-${version}.tgz`;
  await write('package/package.json', { name: 'vite', version, type: 'module' });
  await write('package/bin/vite.js', BUILDER);
  await promisify(execFile)('tar', ['-czf', file, 'package'], { cwd: folder });
  const root = { name: 'x', version: '1.0.0', engines: { node: '>=20.0.0' }, dependencies: { vite: `file:${file}` } };
  const packages = { '': root, 'node_modules/vite': { version, resolved: `file:${file}` } };
  await write('package.json', root);
  await write('package-lock.json', { name: 'x', version: '1.0.0', lockfileVersion: 3, requires: true, packages });
}

/** Environment variables of `npm test` would lead another npm back into this project. */
const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };

function prepare() {
  const child = spawn(process.execPath, ['scripts/prepare.mjs'], { cwd: folder, env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += String(text)));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, said }));
  return { child, ended };
}

async function builds(): Promise<string[]> {
  const text = await readFile(join(folder, 'builds'), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

async function installedVersion(): Promise<string> {
  return (JSON.parse(await readFile(join(folder, 'node_modules/vite/package.json'), 'utf8')) as { version: string })
    .version;
}

test('installs and builds once, however many commands begin at the same time, and then nothing', async () => {
  const outcomes = await Promise.all([prepare().ended, prepare().ended, prepare().ended]);
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(outcomes.filter(({ said }) => said.includes('Installing'))).toHaveLength(1);
  expect(await builds()).toHaveLength(2);
  expect(await prepare().ended).toEqual({ code: 0, said: '' });
});

test('an installation by hand is completed and not begun again', async () => {
  await promisify(execFile)('npm', ['ci', '--offline'], { cwd: folder, env });
  await write('node_modules/.by-hand', '');
  expect((await prepare().ended).code).toBe(0);
  await stat(join(folder, 'node_modules/.by-hand'));
});

test('packages for development that were installed by hand stay', async () => {
  await write('package/package.json', { name: 'tool', version: '1.0.0' });
  await promisify(execFile)('tar', ['-czf', 'tool.tgz', 'package'], { cwd: folder });
  const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, object>;
  };
  const root = { ...lock.packages[''], devDependencies: { tool: 'file:tool.tgz' } };
  lock.packages = {
    ...lock.packages,
    '': root,
    'node_modules/tool': { version: '1.0.0', resolved: 'file:tool.tgz', dev: true },
  };
  await write('package.json', root);
  await write('package-lock.json', lock);
  await promisify(execFile)('npm', ['install', '--offline'], { cwd: folder, env });
  expect((await prepare().ended).code).toBe(0);
  await stat(join(folder, 'node_modules/tool/package.json'));
});

describe('in a prepared checkout', () => {
  let prepared: string;

  beforeAll(async () => {
    folder = prepared = await copyOf(checkout);
    expect((await prepare().ended).code).toBe(0);
  });
  beforeEach(async () => {
    await rm(folder, { recursive: true });
    folder = await copyOf(prepared);
  });
  afterAll(() => rm(prepared, { recursive: true, force: true }));

  async function removeBuilds(): Promise<void> {
    for (const name of ['builds', 'dist', 'console/dist']) await rm(join(folder, name), { recursive: true });
  }

  it('builds again what has changed, and nothing else', async () => {
    await write('src/main.ts', '');
    const { said } = await prepare().ended;
    expect(said).toBe('Building dist\n');
  });

  it('a kill ends the build, too, and the next command prepares all', async () => {
    await removeBuilds();
    await write('hang', '');
    const killed = prepare();
    await eventually(async () => (await builds()).length === 2, 120_000, 'the build');
    killed.child.kill('SIGKILL');
    await killed.ended;
    await eventually(async () => !(await builds()).map(Number).some(isRunning), 60_000, 'the end of the build');
    await rm(join(folder, 'hang'));
    expect((await prepare().ended).code).toBe(0);
    await stat(join(folder, 'dist/built'));
  });

  it('a signal ends it with its lock, and another command need not wait', async () => {
    await removeBuilds();
    await write('hang', '');
    const stopped = prepare();
    await eventually(async () => (await builds()).length === 2, 120_000, 'the build');
    stopped.child.kill('SIGINT');
    await stopped.ended;
    await rm(join(folder, 'hang'));
    const { code, said } = await prepare().ended;
    expect([code, said]).toEqual([0, expect.not.stringContaining('Waiting')]);
  });

  it('begins an interrupted installation again from nothing', async () => {
    // npm writes its record at the end.
    for (const file of ['.package-lock.json', '.waybill-install']) await rm(join(folder, 'node_modules', file));
    await rm(join(folder, 'node_modules/vite/bin'), { recursive: true });
    expect(await prepare().ended).toEqual({ code: 0, said: expect.stringContaining('Installing') as string });
    await stat(join(folder, 'node_modules/vite/bin/vite.js'));
  });

  it('a changed lock file replaces the package that changed, and leaves the rest in place', async () => {
    await write('node_modules/.in-use', '');
    await usePackage('1.0.1');
    expect((await prepare().ended).code).toBe(0);
    expect(await installedVersion()).toBe('1.0.1');
    await stat(join(folder, 'node_modules/.in-use'));
  });

  it('a build that fails ends it with what it said, and leaves what was built before', async () => {
    await write('scripts/compile.mjs', "throw new Error('no semicolon');");
    expect(await prepare().ended).toEqual({ code: 1, said: expect.stringContaining('no semicolon') as string });
    await stat(join(folder, 'dist/built'));
  });
});
