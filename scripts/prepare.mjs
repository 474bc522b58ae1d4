// Prepares a checkout: installs the packages and builds, each only if something changed.
// Runs before `npm start`, `npm test` and `npm run seed`, possibly concurrently. Requires only Node.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, isBuilt } from './prepare/build.mjs';
import { removeDrafts } from './prepare/folders.mjs';
import { install, isInstalled } from './prepare/install.mjs';
import { withLock } from './prepare/lock.mjs';
import { assertNodeVersion } from './prepare/node-version.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

function say(line) {
  process.stderr.write(`${line}\n`);
}

const USAGE = `Installs the packages and builds, each only if something has changed. Other commands run it first.

  node scripts/prepare.mjs`;

function isReady() {
  return isInstalled(root) && isBuilt(root);
}

async function prepare() {
  try {
    if (!isInstalled(root)) await install(root);
    if (!isBuilt(root)) await build(root);
  } finally {
    removeDrafts(root);
  }
}

try {
  assertNodeVersion(root);
  // Without readCommandLine, which exists only after a build.
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help) process.stdout.write(`${USAGE}\n`);
  else if (!isReady()) await withLock(join(root, '.prepare.lock'), say, prepare);
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
