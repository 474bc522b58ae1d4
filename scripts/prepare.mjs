// Makes a checkout ready to run: installs the packages and builds, each only if something changed since the last time. Other commands
// run it first, also several at the same time. Needs nothing but Node.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const USAGE = `Installs the packages and builds, each only if something has changed. Other commands run it first.

  node scripts/prepare.mjs [all]

  all  with what tests, checks and benchmarks need; without it, what the service needs
`;
const BUILDS = {
  dist: {
    sources: ['src', 'tools', 'migrations', 'packages/embedded-postgres/src', 'scripts/compile.mjs', '.swcrc'],
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
const LOCK = '.prepare.lock';
const SILENT_AFTER_MS = 5_000;
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
  const wanted = readJson('package.json').engines.node.replace('>=', '');
  if (process.versions.node.localeCompare(wanted, 'en', { numeric: true }) < 0)
    throw new Error(`Waybill needs Node.js ${wanted} or newer. This is ${process.versions.node}.`);
  if (missing(withTools).length === 0 && stale(withTools).length === 0) return;
  await lock();
  if (missing(withTools).length > 0) await install(withTools);
  const targets = stale(withTools);
  if (targets.length > 0) await step(`Building ${targets.join(', ')}`, () => Promise.all(targets.map(build)));
  process.exit();
}

/** One at a time. The owner touches the file every second, so that the lock of one that was killed can be told from others. */
async function lock() {
  const token = `${process.pid} ${process.hrtime.bigint()}`;
  for (let seen, since; ; await sleep(100)) {
    try {
      fs.writeFileSync(LOCK, token, { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (since === undefined) process.stderr.write('Waiting for another command that installs or builds.\n');
    const touched = fs.statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs;
    if (touched !== seen || since === undefined) [seen, since] = [touched, Date.now()];
    if (touched !== undefined && Date.now() - since > SILENT_AFTER_MS) breakLock(seen);
  }
  const isOurs = () => fs.existsSync(LOCK) && fs.readFileSync(LOCK, 'utf8') === token;
  setInterval(() => isOurs() && fs.utimesSync(LOCK, new Date(), new Date()), 1000).unref();
  process.on('exit', () => isOurs() && fs.rmSync(LOCK));
  const signals = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
  for (const [signal, code] of Object.entries(signals)) process.on(signal, () => process.exit(code));
}

/** Of two that find a silent lock, the slower must not break the new lock of the quicker. */
function breakLock(touched) {
  const aside = `${LOCK}-${process.pid}`;
  try {
    fs.renameSync(LOCK, aside);
    if (fs.statSync(aside).mtimeMs !== touched) fs.linkSync(aside, LOCK);
    fs.rmSync(aside);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/** The packages of the lock file that npm has not installed, by the list that it keeps of those it has. */
function missing(withTools) {
  const installed = isWhole() ? readJson('node_modules/.package-lock.json').packages : {};
  const wanted = readJson('package-lock.json').packages;
  return Object.keys(wanted).filter((path) => {
    const { dev, optional, os, cpu, libc, version, integrity } = wanted[path];
    if (!path.includes('node_modules/') || (dev && !withTools)) return false;
    const fits = os?.includes(process.platform) && cpu?.includes(process.arch) && !libc;
    if (!installed[path]) return !optional || fits;
    return installed[path].version !== version || installed[path].integrity !== integrity;
  });
}

/** npm writes its list at the end of an installation, and does not know later that another one was interrupted. */
function isWhole() {
  return fs.existsSync('node_modules/.package-lock.json') && !fs.existsSync('node_modules/.installing');
}

/** Adds and replaces packages in place, for a service may be running from them; only the rest of an interrupted installation is removed. */
async function install(withTools) {
  const hadTools = fs.existsSync('node_modules/jest');
  const packages = missing(withTools || hadTools);
  const how = isWhole() ? ['install', '--no-save'] : ['ci'];
  fs.mkdirSync('node_modules', { recursive: true });
  fs.writeFileSync('node_modules/.installing', '');
  const npm = env.npm_execpath ? [process.execPath, env.npm_execpath] : ['npm'];
  const scope = withTools || hadTools ? '--include=dev' : '--omit=dev';
  const args = [...how, scope, '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const done = () => ` ${packages.filter((path) => fs.existsSync(path)).length} of ${packages.length}`;
  await step('Installing packages, among them PostgreSQL:', () => run([...npm, ...args]), done);
  fs.rmSync('node_modules/.installing', { force: true });
  giveToOwner('node_modules');
}

function stale(withTools) {
  return Object.keys(BUILDS).filter((target) => {
    const stamp = join(target, '.waybill-build');
    if (BUILDS[target].isForTools && !withTools) return false;
    return !fs.existsSync(stamp) || fs.readFileSync(stamp, 'utf8') !== hashOf(target);
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

function readJson(path) {
  return JSON.parse(fs.readFileSync(path, 'utf8'));
}
