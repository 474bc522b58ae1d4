// Makes a checkout ready to run: installs the packages and builds, each only if something changed since the last time. Other commands
// run it first, also several at the same time. Needs nothing but Node.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const USAGE = `Installs the packages and builds, each only if something has changed. Other commands run it first.

  node scripts/prepare.mjs [all]

  all  with what tests, checks and benchmarks need; without it, what the service needs
`;
const BUILDS = {
  dist: {
    sources: [
      ...['src', 'tools', 'migrations', 'packages/embedded-postgres/src'],
      ...['scripts/compile.mjs', 'scripts/bundle.mjs', '.swcrc'],
    ],
    program: ['scripts/compile.mjs', '--outDir'],
  },
  'console/dist': {
    sources: ['console/src', 'console/index.html', 'console/vite.config.mjs', 'public/theme.css', 'client/src'],
    program: ['node_modules/vite/bin/vite.js', 'build', 'console', '--logLevel', 'error', '--outDir'],
  },
  'client/dist': {
    sources: ['client/src', 'client/build.mjs', 'client/tsconfig.json'],
    program: ['client/build.mjs', '--outDir'],
    isForTools: true,
  },
  'packages/embedded-postgres/dist': {
    sources: ['packages/embedded-postgres/src', 'packages/embedded-postgres/tsconfig.json', 'tsconfig.json'],
    program: ['node_modules/typescript-native/bin/tsc', '-p', 'packages/embedded-postgres', '--noCheck', '--outDir'],
    isForTools: true,
  },
};
const STAMP = 'node_modules/.waybill-install';
/** npm writes it at the end of an installation. */
const RECORD = 'node_modules/.package-lock.json';
/** Runs a command, and kills it when this program, which holds the other end of the input, is gone. */
const GUARD =
  'exec 3<&0; "$@" </dev/null 3<&- & child=$!; { read -r _ <&3; kill -9 $child; } >/dev/null 2>&1 & guard=$!; wait $child; code=$?; kill $guard; exit $code';
/** Options that an outer npm passes down, as in `npm pack --workspace client --dry-run`. */
const OUTER = /^npm_config_(local_prefix|workspaces?|dry_run|json)$/;
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OUTER.test(name)));

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
const [level, ...others] = process.argv.slice(2);
if (level === '--help' || level === '-h') process.stdout.write(USAGE);
else if (others.length > 0 || ![undefined, 'all'].includes(level))
  fail(`Unknown: ${[level, ...others].join(' ')}\n\n${USAGE}`);
else await prepare(level === 'all').catch((error) => fail(`${error.message}\n`));

function fail(text) {
  process.stderr.write(text);
  process.exit(1);
}

async function prepare(withTools) {
  const wanted = JSON.parse(readText('package.json')).engines.node.replace('>=', '');
  if (process.versions.node.localeCompare(wanted, 'en', { numeric: true }) < 0)
    throw new Error(`Waybill needs Node.js ${wanted} or newer. This is ${process.versions.node}.`);
  // Packages that were installed for tests stay, and are kept up to date.
  const withAll = withTools || readText(STAMP).endsWith(' tools');
  const isInstalled = () => readText(STAMP).startsWith(stampOf(withAll));
  if (isInstalled() && stale(withTools).length === 0) return;
  await lock();
  if (!isInstalled()) await install(withAll);
  const targets = stale(withTools);
  if (targets.length > 0) await step(`Building ${targets.join(', ')}`, () => Promise.all(targets.map(build)));
  process.exit();
}

/**
 * One at a time. The lock is a socket, because the operating system closes it however its owner ends, and with it the connections of
 * those that wait. Linux needs no file for it; elsewhere a killed owner leaves one to which nobody answers.
 */
async function lock() {
  const name = `waybill-${createHash('sha256').update(process.cwd()).digest('hex').slice(0, 16)}`;
  const isFile = process.platform !== 'linux';
  const address = isFile ? join(tmpdir(), name) : `\0${name}`;
  for (let isFirst = true; ; isFirst = false) {
    const error = await new Promise((resolve) => {
      createServer().on('error', resolve).listen(address, resolve);
    });
    if (error === undefined) return;
    if (error.code !== 'EADDRINUSE') throw error;
    if (isFirst) process.stderr.write('Waiting for another command that installs or builds.\n');
    await new Promise((resolve) => {
      const owner = connect(address).on('close', resolve);
      owner.on('error', ({ code }) => isFile && code === 'ECONNREFUSED' && fs.rmSync(address, { force: true }));
    });
  }
}

function stampOf(withTools) {
  const hash = createHash('sha256').update(readText('package-lock.json')).update(`${process.platform}-${process.arch}`);
  return `${hash.digest('hex')} service${withTools ? ' tools' : ''}`;
}

/**
 * Adds and replaces packages in place, because a service may be running from them. An interrupted installation has no record
 * and starts over. The record is removed first, because npm trusts it without checking the packages.
 */
async function install(withTools) {
  const how = fs.existsSync(RECORD) ? ['install', '--no-save'] : ['ci'];
  for (const file of [STAMP, RECORD]) fs.rmSync(file, { force: true });
  const npm = env.npm_execpath ? [process.execPath, env.npm_execpath] : ['npm'];
  const scope = [withTools ? '--include=dev' : '--omit=dev', '--include=optional'];
  const packages = Object.entries(JSON.parse(readText('package-lock.json')).packages)
    .filter(([path, { dev, optional }]) => path.includes('node_modules/') && !optional && (withTools || !dev))
    .map(([path]) => path);
  await step(
    'Installing packages, among them PostgreSQL:',
    () => run([...npm, ...how, ...scope, '--no-audit', '--no-fund', '--loglevel=error']),
    () => ` ${packages.filter((path) => fs.existsSync(path)).length} of ${packages.length}`,
  );
  fs.writeFileSync(STAMP, stampOf(withTools));
  giveToOwner('node_modules');
}

function stale(withTools) {
  return Object.keys(BUILDS).filter((target) => {
    if (BUILDS[target].isForTools && !withTools) return false;
    return readText(join(target, '.waybill-build')) !== hashOf(target);
  });
}

/** Elsewhere first: a service that runs from the folder never sees half of a build, nor anything of the one before. */
async function build(target) {
  const [draft, old] = ['new', 'old'].map((age) => `.prepare-${age}-${target.replaceAll('/', '-')}`);
  for (const folder of [draft, old]) fs.rmSync(folder, { recursive: true, force: true });
  const stamp = hashOf(target);
  await run([process.execPath, ...BUILDS[target].program, join(process.cwd(), draft)]);
  fs.writeFileSync(join(draft, '.waybill-build'), stamp);
  giveToOwner(draft);
  if (fs.existsSync(target)) fs.renameSync(target, old);
  fs.renameSync(draft, target);
  fs.rmSync(old, { recursive: true, force: true });
}

function hashOf(target) {
  const hash = createHash('sha256');
  const add = (path) => {
    const stats = fs.statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) for (const name of fs.readdirSync(path).sort()) add(join(path, name));
    else if (stats) hash.update(`${path}\0${stats.size}\0`).update(fs.readFileSync(path));
  };
  for (const source of [...BUILDS[target].sources, 'package-lock.json']) add(source);
  return hash.digest('hex');
}

/** Root must not leave files in somebody's checkout that its owner can neither replace nor remove. */
function giveToOwner(path) {
  const { uid, gid } = fs.statSync('.');
  if (process.getuid?.() === 0 && uid !== 0) execFileSync('chown', ['-R', `${uid}:${gid}`, path]);
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

function readText(path) {
  return fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : '';
}
