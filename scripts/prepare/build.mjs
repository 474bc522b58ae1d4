import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DRAFT_PREFIX, swapIn } from './folders.mjs';
import { runNpm } from './npm.mjs';
import { step } from './progress.mjs';

const STAMP = '.waybill-build';

/**
 * Build targets with their sources, the npm script that builds them, and its arguments. The two lists are built concurrently, each in
 * order of dependency.
 */
const BUILDS = [
  [
    {
      target: 'packages/embedded-postgres/dist',
      sources: [
        'packages/embedded-postgres/src',
        'packages/embedded-postgres/tsconfig.json',
        'tsconfig.json',
        'package-lock.json',
      ],
      script: 'build:embedded-postgres',
      into: (draft) => ['--outDir', draft],
    },
    {
      target: 'dist',
      sources: [
        'src',
        'tools',
        'migrations',
        'packages/embedded-postgres/src',
        'scripts/compile.mjs',
        '.swcrc',
        'package-lock.json',
      ],
      script: 'build',
      into: (draft) => ['--outDir', draft],
    },
  ],
  [
    {
      target: 'client/dist',
      sources: ['client/src', 'client/build.mjs', 'client/tsconfig.json', 'package-lock.json'],
      script: 'build:client',
      into: (draft) => ['--outDir', draft],
    },
    {
      target: 'console/dist',
      sources: [
        'console/src',
        'console/index.html',
        'console/vite.config.mjs',
        'console/tsconfig.json',
        'public/theme.css',
        'client/src',
        'package-lock.json',
      ],
      script: 'build:console',
      into: (draft) => ['--outDir', draft],
    },
  ],
];

export function isBuilt(root) {
  return BUILDS.flat().every((one) => isCurrent(root, one));
}

export async function build(root) {
  const due = BUILDS.map((list) => list.filter((one) => !isCurrent(root, one)));
  const targets = due.flat().map(({ target }) => target);
  await step(`Building ${targets.join(', ')}`, async () => {
    const outcomes = await Promise.allSettled(due.map((list) => buildInOrder(root, list)));
    // Wait for all: no other process may build while one of them is running.
    const failed = outcomes.find(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
  });
}

async function buildInOrder(root, list) {
  for (const one of list) await buildOne(root, one);
}

function isCurrent(root, { target, sources }) {
  const stamp = join(root, target, STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOf(root, sources);
}

/** The stamp describes the sources before the build: changes during the build are built next time. */
async function buildOne(root, { target, sources, script, into }) {
  const stamp = hashOf(root, sources);
  const draft = mkdtempSync(join(root, `${DRAFT_PREFIX}dist-`));
  // Temporary folders are private, but other users may run what root builds.
  chmodSync(draft, 0o777 & ~process.umask());
  await runNpm(root, ['run', script, '--', ...into(draft)]);
  writeFileSync(join(draft, STAMP), stamp);
  swapIn(draft, join(root, target));
}

function hashOf(root, sources) {
  const hash = createHash('sha256');
  for (const path of sources.flatMap((source) => filesUnder(root, source))) {
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
