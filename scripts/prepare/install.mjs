import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DRAFT_PREFIX, swapIn } from './folders.mjs';
import { runNpm } from './npm.mjs';
import { step } from './progress.mjs';

const STAMP = '.waybill-install';
const NEEDED = [
  'package.json',
  'client/package.json',
  'console/package.json',
  'packages/embedded-postgres/package.json',
  'package-lock.json',
  '.npmrc',
];
const OPTIONS = ['--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];

export function isInstalled(root) {
  const stamp = join(root, 'node_modules', STAMP);
  if (existsSync(stamp)) return readFileSync(stamp, 'utf8') === stampFor(root);
  return isInstalledByHand(root);
}

/** Installs into a temporary folder first, because `npm ci` empties node_modules while a service may be running from it. */
export async function install(root) {
  const draft = mkdtempSync(join(root, `${DRAFT_PREFIX}install-`));
  const stamp = stampFor(root);
  for (const name of NEEDED.filter((file) => existsSync(join(root, file)))) {
    mkdirSync(dirname(join(draft, name)), { recursive: true });
    copyFileSync(join(root, name), join(draft, name));
  }
  await step('Installing packages, including PostgreSQL (60 MB)', () =>
    runNpm(draft, ['ci', '--prefix', draft, ...OPTIONS]),
  );
  writeFileSync(join(draft, 'node_modules', STAMP), stamp);
  swapIn(join(draft, 'node_modules'), join(root, 'node_modules'));
}

/** Includes the platform, because a Mac and a container may share a checkout. */
function stampFor(root) {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return createHash('sha256').update(lock).update(`${process.platform}-${process.arch}`).digest('hex');
}

/** npm records its packages when an installation is complete, which counts as installed. */
function isInstalledByHand(root) {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  const wanted = Object.entries(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages);
  return wanted.every(([path, entry]) => {
    if (path === '' || (!installed[path] && isForElsewhere(entry))) return true;
    return installed[path]?.version === entry.version && installed[path]?.integrity === entry.integrity;
  });
}

function isForElsewhere({ optional, os, cpu, libc }) {
  const fits = os?.includes(process.platform) && cpu?.includes(process.arch) && !libc;
  return optional === true && !fits;
}
