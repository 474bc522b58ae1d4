// `npm run build`, which other commands run first, also several at the same time. Needs nothing but Node.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lock } from './lock.mjs';
import { giveToOwner } from './owner.mjs';
import {
  BUILDS,
  buildStamp,
  hasTools,
  INSTALLED,
  installStamp,
  isPrepared,
  missingNode,
  outdated,
  read,
  RECORD,
} from './prepared.mjs';
import { readWord } from './read-word.mjs';

const USAGE = `Installs the packages and builds, each only if something changed since the last time.

  npm run build -- [all]

  all  also for tests, checks and benchmarks
`;

/** Runs a command, and kills it when this program, which holds the other end of the input, is gone. */
const GUARD =
  'exec 3<&0; "$@" </dev/null 3<&- & child=$!; { read -r _ <&3; kill -9 $child; } >/dev/null 2>&1 & guard=$!; wait $child; code=$?; kill $guard; exit $code';
/** Options that an outer npm passes down, as in `npm pack --workspace client --dry-run`. */
const OUTER = /^npm_config_(local_prefix|workspaces?|dry_run|json)$/;
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OUTER.test(name)));

const withTools = readWord(USAGE, 'all') !== '';
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
await prepare().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});

async function prepare() {
  const needed = missingNode();
  if (needed) throw new Error(`Waybill needs Node.js ${needed} or newer. This is ${process.versions.node}.`);
  if (isPrepared(withTools)) return;
  await lock(() => process.stderr.write('Waiting for another command that installs or builds.\n'));
  // Packages that were installed for tests stay, and are kept up to date.
  const withAll = withTools || hasTools();
  const stamp = installStamp(withAll);
  if (read(INSTALLED) !== stamp) await install(withAll, stamp);
  const targets = outdated(withTools);
  if (targets.length > 0) await step(`Building ${targets.join(', ')}`, () => Promise.all(targets.map(build)));
  process.exit();
}

/**
 * Adds and replaces packages in place, because a service may be running from them. An interrupted installation has no record
 * and starts over. The record is removed first, because npm trusts it without checking the packages.
 */
async function install(withTools, stamp) {
  const how = fs.existsSync(RECORD) ? ['install', '--no-save'] : ['ci'];
  for (const file of [INSTALLED, RECORD]) fs.rmSync(file, { force: true });
  const npm = env.npm_execpath ? [process.execPath, env.npm_execpath] : ['npm'];
  const scope = [withTools ? '--include=dev' : '--omit=dev', '--include=optional'];
  const packages = Object.entries(JSON.parse(read('package-lock.json')).packages)
    .filter(([path, { dev, optional }]) => path.includes('node_modules/') && !optional && (withTools || !dev))
    .map(([path]) => path);
  await step(
    'Installing packages, among them PostgreSQL:',
    () => run([...npm, ...how, ...scope, '--no-audit', '--no-fund', '--loglevel=error']),
    () => ` ${packages.filter((path) => fs.existsSync(path)).length} of ${packages.length}`,
  );
  fs.writeFileSync(INSTALLED, stamp);
  giveToOwner('node_modules');
}

/** Elsewhere first: a service that runs from the folder never sees half of a build, nor anything of the one before. */
async function build(target) {
  const [draft, old] = ['new', 'old'].map((age) => `.prepare-${age}-${target.replaceAll('/', '-')}`);
  for (const folder of [draft, old]) fs.rmSync(folder, { recursive: true, force: true });
  const stamp = buildStamp(target);
  await run([process.execPath, ...BUILDS[target].program, resolve(draft)]);
  fs.writeFileSync(join(draft, '.waybill-build'), stamp);
  giveToOwner(draft);
  if (fs.existsSync(target)) fs.renameSync(target, old);
  fs.renameSync(draft, target);
  fs.rmSync(old, { recursive: true, force: true });
}

/** Throws with all that the command said when it fails. */
async function run(command) {
  const child = spawn('sh', ['-c', GUARD, 'sh', ...command], { env });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${Buffer.concat(output)}\n${command.join(' ')} failed.`);
}

/** Says what is being done; on a terminal also how far it is and for how long, so that nobody takes a slow step for a hanging one. */
async function step(line, action, progress = () => '') {
  const began = Date.now();
  const show = () => process.stderr.write(`\r${line}${progress()} ${Math.round((Date.now() - began) / 1000)} s`);
  process.stderr.write(process.stderr.isTTY ? line : `${line}\n`);
  const ticking = process.stderr.isTTY && setInterval(show, 1000);
  await action();
  clearInterval(ticking);
  if (process.stderr.isTTY) process.stderr.write('\n');
}
