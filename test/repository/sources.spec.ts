import { execFile } from 'node:child_process';
import { chown, cp, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const SOMEBODY = 65_534;
const FOLDERS = ['src', 'migrations', 'tools', 'bench', 'test/support', 'packages/embedded-postgres/src'];
const COMPILE = "import('./scripts/sources.mjs').then(({ compileSources }) => compileSources())";
const testAsRoot = process.getuid?.() === 0 ? test : test.skip;

testAsRoot('the owner of a checkout can replace what root has compiled there', async () => {
  const checkout = await mkdtemp(join(tmpdir(), 'waybill-sources-'));
  try {
    for (const folder of [...FOLDERS, 'node_modules']) await mkdir(join(checkout, folder), { recursive: true });
    for (const file of ['scripts', 'package.json', '.swcrc']) await cp(file, join(checkout, file), { recursive: true });
    await symlink(resolve('node_modules/@swc'), join(checkout, 'node_modules/@swc'));
    await writeFile(join(checkout, 'src/main.ts'), 'export const answer: number = 42;');
    await chown(checkout, SOMEBODY, SOMEBODY);
    await promisify(execFile)(process.execPath, ['--eval', COMPILE], { cwd: checkout });
    const cache = join(checkout, 'node_modules/.cache');
    for (const path of [cache, join(cache, 'waybill-sources/src'), join(cache, 'waybill-sources/src/main.js')]) {
      expect((await stat(path)).uid).toBe(SOMEBODY);
    }
  } finally {
    await rm(checkout, { recursive: true });
  }
});
