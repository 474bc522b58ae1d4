// Whether a checkout is ready to run. Reads files and changes nothing; prepare.mjs installs and builds. Needs nothing but Node.
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';

/** The folders that are built: from what, and by which program, which is given the folder to write to. */
export const BUILDS = {
  dist: {
    sources: ['src', 'tools', 'migrations', 'packages/embedded-postgres/src', 'scripts', '.swcrc'],
    program: ['scripts/compile.mjs'],
  },
  'console/dist': {
    sources: ['console/src', 'console/index.html', 'console/vite.config.mjs', 'public/theme.css', 'client/src'],
    // Without its native loader, Vite would write the compiled configuration into node_modules.
    program: ['node_modules/vite/bin/vite.js', 'build', 'console', '--configLoader=native', '--outDir'],
  },
  'client/dist': {
    sources: ['client/src', 'client/build.mjs', 'client/tsconfig.json'],
    program: ['client/build.mjs', '--outDir'],
    isForTools: true,
  },
  'packages/embedded-postgres/dist': {
    sources: ['packages/embedded-postgres/src', 'scripts', '.swcrc'],
    program: ['scripts/compile-package.mjs', 'packages/embedded-postgres/src'],
    isForTools: true,
  },
};

/** Names the packages that are installed. Missing after an installation that was interrupted. */
export const INSTALLED = 'node_modules/.waybill-install';

/** npm writes it at the end of an installation. */
export const RECORD = 'node_modules/.package-lock.json';

/** For the service, or also for tests, checks and benchmarks, which need more packages and builds. */
export function isPrepared(withTools) {
  const isInstalled = read(INSTALLED) === installStamp(withTools || hasTools());
  return isInstalled && missingNode() === undefined && outdated(withTools).length === 0;
}

/** The version of Node.js that is needed, if this one is older. */
export function missingNode() {
  const needed = JSON.parse(read('package.json')).engines.node.replace('>=', '');
  const order = (version) => version.split('.').reduce((sum, part) => sum * 1000 + Number(part), 0);
  return order(process.versions.node) < order(needed) ? needed : undefined;
}

/** An installation by hand (`npm install`) has them, too. */
export function hasTools() {
  return fs.existsSync(INSTALLED) ? read(INSTALLED).endsWith(' tools') : read(RECORD).includes('"dev": true');
}

export function installStamp(withTools) {
  const platform = `${process.platform}-${process.arch}`;
  return `${hashOf(['package-lock.json'])} ${platform} ${withTools ? 'service tools' : 'service'}`;
}

export function outdated(withTools) {
  const targets = Object.keys(BUILDS).filter((target) => withTools || !BUILDS[target].isForTools);
  return targets.filter((target) => read(join(target, '.waybill-build')) !== buildStamp(target));
}

export function buildStamp(target) {
  return hashOf([...BUILDS[target].sources, 'package-lock.json']);
}

function hashOf(paths) {
  const hash = createHash('sha256');
  const add = (path) => {
    const stats = fs.statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) for (const name of fs.readdirSync(path).sort()) add(join(path, name));
    else if (stats) hash.update(`${path}\0${stats.size}\0`).update(fs.readFileSync(path));
  };
  for (const path of paths) add(path);
  return hash.digest('hex');
}

export function read(path) {
  return fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : '';
}
