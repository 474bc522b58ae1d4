import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DRAFT_PREFIX, swapIn } from './folders.mjs';
import { runNpm } from './npm.mjs';

const STAMP = '.waybill-build';
const SOURCES = ['src', 'migrations', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json', 'package-lock.json'];

export function isBuilt(root) {
  const stamp = join(root, 'dist', STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashSources(root);
}

/** The stamp is of the sources as they were before: what changes during the build is built next time. */
export async function build(root, say) {
  say('Building.');
  const stamp = hashSources(root);
  const draft = mkdtempSync(join(root, `${DRAFT_PREFIX}dist-`));
  // Temporary folders are private; what root builds, others may run.
  chmodSync(draft, 0o777 & ~process.umask());
  const config = join(root, `${basename(draft)}.json`);
  writeFileSync(config, JSON.stringify({ extends: './tsconfig.build.json', compilerOptions: { outDir: draft } }));
  await runNpm(root, ['run', 'build', '--', '--path', basename(config)]);
  writeFileSync(join(draft, STAMP), stamp);
  swapIn(draft, join(root, 'dist'));
}

function hashSources(root) {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((source) => filesUnder(root, source))) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function filesUnder(root, path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats ? [path] : [];
  const names = readdirSync(join(root, path)).sort();
  return names.flatMap((name) => filesUnder(root, join(path, name)));
}
