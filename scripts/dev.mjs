// `npm run dev`: bundles the service and restarts it on every save. Vite serves the console and updates the open page.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { context } from 'esbuild';
import { createServer } from 'vite';
import { readCommandLine } from '../dist/src/config/command-line.js';
import { readProcessConfig } from '../dist/src/config/read-config.js';
import { BUNDLE } from './bundle.mjs';

readCommandLine(
  'Runs the service and the console from their sources and applies every save. It has no options.\n\n  npm run dev',
  {},
);

const SOURCES = [resolve('src'), resolve('migrations')];
/** Not `dist`, from which another service may run. */
const OUTPUT = 'node_modules/.cache/waybill-dev';

/** Saving all files or switching branches causes many events. */
const SETTLE_MS = 100;

/** Bundling these anew, with their source maps, would take longer than loading them. */
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const PACKAGES = Object.keys(dependencies).filter((name) => !name.startsWith('@waybill/'));

let onSave = () => undefined;
let service;
/** A process that has loaded the packages. It becomes the service after the next save. */
let spare;
let stopping = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    stopping = true;
    onSave();
  });
}

const page = await serveConsole();
const bundler = await context({
  ...BUNDLE,
  entryPoints: ['src/main.ts'],
  outdir: OUTPUT,
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  external: [...BUNDLE.external, ...PACKAGES],
});
while (!stopping) {
  const saved = nextSave();
  // esbuild reports why a build failed.
  const build = await bundler.rebuild().catch(() => undefined);
  if (build) await restart(build.metafile);
  else say('The build failed. Save a file to try again.');
  await saved;
}
await Promise.all([end(service), end(spare), bundler.dispose(), page.close()]);
process.exit(0);

/** The old process must exit before the new one uses its port and data folder. */
async function restart(built) {
  if (service !== undefined) say('Restarting.');
  await end(service);
  if (stopping) return;
  service = isRunning(spare) ? spare : load(built);
  service.once('exit', () => say('The service exited. Save a file to restart it.'));
  service.send('serve');
  spare = load(built);
}

/** Starts a process that loads the packages of the bundle. */
function load({ outputs }) {
  const imports = Object.values(outputs).flatMap((output) => output.imports.filter(({ external }) => external));
  return fork('scripts/dev-service.mjs', [`${OUTPUT}/src/main.js`, ...new Set(imports.map(({ path }) => path))]);
}

async function end(child) {
  if (!isRunning(child)) return;
  child.removeAllListeners('exit');
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
}

function isRunning(child) {
  return child !== undefined && child.exitCode === null && child.signalCode === null;
}

/** The console at the port after the service's, which answers everything else. */
async function serveConsole() {
  const port = servicePort();
  const service = `http://localhost:${port}`;
  const plugin = {
    name: 'service',
    // Also called when the configuration of the console is saved, because Vite then starts again with a new watcher.
    configureServer({ watcher }) {
      watcher.add(SOURCES).on('all', (_, file) => {
        if (file.endsWith('.ts') && SOURCES.some((folder) => file.startsWith(folder + sep))) onSave();
      });
    },
    async transformIndexHtml(page, { originalUrl }) {
      const served = await fetch(`${service}${originalUrl}`, { headers: { Accept: 'text/html' } }).then((one) =>
        one.text(),
      );
      const [content] = /(?<=name="waybill-settings" )content="[^"]*"/.exec(served) ?? [];
      return page.replace('content="{}"', () => content ?? 'content="{}"');
    },
  };
  const server = await createServer({
    root: 'console',
    base: '/console/',
    logLevel: 'warn',
    plugins: [plugin],
    server: { host: 'localhost', port: port + 1, proxy: { '^/(?!console(/|$))': service } },
  });
  await server.listen();
  say(`The console, which follows what you save: ${server.resolvedUrls?.local[0] ?? ''}`);
  return server;
}

function servicePort() {
  try {
    return readProcessConfig().PORT;
  } catch {
    // The service itself says what is wrong.
    return 3000;
  }
}

/** Resolves on the next save. Called before the service starts, so that a save during startup is not missed. */
function nextSave() {
  return new Promise((resolve) => {
    onSave = resolve;
  }).then(() => (stopping ? undefined : sleep(SETTLE_MS)));
}

function say(line) {
  process.stderr.write(`${line}\n`);
}
