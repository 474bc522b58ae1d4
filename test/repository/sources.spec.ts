import { execFile } from 'node:child_process';
import { chown, cp, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const SOMEBODY = 65_534;
const FOLDERS = ['src', 'migrations', 'tools', 'bench', 'test/support', 'packages/embedded-postgres/src'];
const COMPILE = "import('./scripts/sources.mjs').then(({ compileSources }) => compileSources())";
const PROGRAM = `import('./scripts/prepared.mjs').then(({ BUILDS }) =>
  console.log(JSON.stringify(BUILDS['console/dist'].program)))`;
const testAsRoot = process.getuid?.() === 0 ? test : test.skip;

let checkout: string;

beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'waybill-sources-'));
  await mkdir(join(checkout, 'node_modules'));
  for (const name of ['@swc', 'vite'])
    await symlink(resolve('node_modules', name), join(checkout, 'node_modules', name));
  for (const file of ['scripts', 'package.json', '.swcrc']) await cp(file, join(checkout, file), { recursive: true });
  await chown(checkout, SOMEBODY, SOMEBODY).catch(() => undefined);
});
afterEach(() => rm(checkout, { recursive: true }));

/** Runs Node.js in the checkout; resolves with what it says. */
async function node(...words: string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, words, { cwd: checkout })).stdout;
}

testAsRoot('the owner of a checkout can replace what root has compiled there', async () => {
  for (const folder of FOLDERS) await mkdir(join(checkout, folder), { recursive: true });
  await writeFile(join(checkout, 'src/main.ts'), 'export const answer: number = 42;');
  await node('--eval', COMPILE);
  const cache = join(checkout, 'node_modules/.cache');
  for (const path of [cache, join(cache, 'waybill-sources/src'), join(cache, 'waybill-sources/src/main.js')]) {
    expect((await stat(path)).uid).toBe(SOMEBODY);
  }
});

test('a build of the console leaves nothing in node_modules', async () => {
  await cp('console/vite.config.mjs', join(checkout, 'console/vite.config.mjs'));
  await writeFile(join(checkout, 'console/index.html'), '<script type="module" src="./main.js"></script>');
  await writeFile(join(checkout, 'console/main.js'), "document.title = 'Console';");
  await node(...(JSON.parse(await node('--eval', PROGRAM)) as string[]), join(checkout, 'built'));
  expect(await readdir(join(checkout, 'built'))).toContain('index.html');
  expect((await readdir(join(checkout, 'node_modules'))).sort()).toEqual(['@swc', 'vite']);
});
