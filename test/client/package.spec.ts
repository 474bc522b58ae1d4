import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { useService } from '../support/service.js';

/** A compiler reads all that browsers have, on a machine that may have other things to do. */
const TYPE_CHECK_MS = 240_000;

const run = promisify(execFile);
const service = useService({ POOL_SIZE: '3' });

/** What `npm test` tells its scripts would lead another npm back into this project. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));

/** A project of somebody who has nothing but the packed client. */
let project: string;
let packed: { filename: string; files: { path: string }[] };

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'waybill-client-'));
  const packing = ['pack', '--json', '--workspace', 'client', '--pack-destination', project];
  [packed] = JSON.parse((await run('npm', packing, { env })).stdout);
  await writeFile(join(project, 'package.json'), '{"type": "module", "private": true}');
  const installing = ['install', '--offline', '--no-audit', '--no-fund', join(project, packed.filename)];
  await run('npm', installing, { cwd: project, env });
});
afterAll(() => rm(project, { recursive: true }));

/** Runs the example of a README in the project and tells what it says. */
async function runExample(file: string): Promise<string[]> {
  const [, example = ''] = /```js\n([^]*?)```/.exec(await readFile(file, 'utf8')) ?? [];
  expect(example).not.toBe('');
  await writeFile(join(project, 'example.js'), example.replace('http://localhost:3000', service.url));
  const { stdout } = await run(process.execPath, ['example.js'], { cwd: project });
  return stdout.split('\n').slice(0, -1);
}

test('the package has the built client, its types and its README, and nothing else', () => {
  const names = packed.files.map(({ path }) => path).sort();
  expect(names.filter((name) => !/^dist\/[a-z-]+\.(js|d\.ts)$/.test(name))).toEqual(['README.md', 'package.json']);
  expect(names).toEqual(expect.arrayContaining(['dist/waybill.js', 'dist/waybill.d.ts', 'dist/api.d.ts']));
});

test('the package needs no other package, and nothing that only Node has', async () => {
  const { dependencies, peerDependencies } = JSON.parse(await readFile('client/package.json', 'utf8'));
  expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
  for (const { path } of packed.files.filter(({ path: name }) => name.endsWith('.js'))) {
    const text = await readFile(join(project, 'node_modules/@waybill/client', path), 'utf8');
    expect(text.match(/from '(?!\.\/)|require\(|\bprocess\.|\bBuffer\b/g)).toBeNull();
  }
});

test('the example of its README runs as it stands there', async () => {
  expect(await runExample('client/README.md')).toEqual([
    'anonymous changed actualWeight from null to 4000',
    'true Ring twice. Ring twice. Ring twice. ',
    'APPROVED or REJECTED or CANCELED',
  ]);
});

test('so does the one in the README of the service', async () => {
  expect(await runExample('README.md')).toEqual([]);
  const { body } = await service.api.get('/v1/shipments?limit=1');
  expect(body).toMatchObject([{ customerRemarks: 'Ring twice. ' }]);
});

test(
  'its types refuse what must not compile and pass the rest, with the libraries of browsers alone',
  async () => {
    const cases = await readFile('test/client/type-errors.ts', 'utf8');
    await writeFile(join(project, 'cases.ts'), cases.replace('../../client/src/waybill.js', '@waybill/client'));
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom'];
    const tsc = resolve('node_modules/typescript/bin/tsc');
    const checking = run(process.execPath, [tsc, '--noEmit', ...options, 'cases.ts'], { cwd: project });
    expect(await checking.catch((error: unknown) => error)).toMatchObject({ stdout: '' });
  },
  TYPE_CHECK_MS,
);
