// `npm run dev`: bundles the service and restarts it on every save. Vite serves the console and updates the open page.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { context } from 'esbuild';
import { createServer } from 'vite';
import { readCommandLine } from '../dist/src/config/command-line.js';
import { readProcessConfig } from '../dist/src/config/config.js';
import { BUNDLE } from './bundle.mjs';

readCommandLine(
  'Runs the service and the console from their sources and applies every save. It has no options.\n\n  npm run dev',
  {},
);

const SOURCES = ['src', 'migrations'];
/** Not `dist`, from which another service may run. */
const OUTPUT = 'node_modules/.cache/waybill-dev';
const PROGRAM = ['--enable-source-maps', `${OUTPUT}/src/main.js`];

/** Saving all files or switching branches causes many events. */
const SETTLE_MS = 100;

/** Bundling packages anew, with their source maps, would take longer than loading them. */
const withoutPackages = {
  name: 'without-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@waybill/') ? undefined : { path, external: true },
    );
  },
};

const watched = new Map();
let onSave = () => undefined;
let service;
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
  plugins: [withoutPackages, ...BUNDLE.plugins],
});
watchFolders();
while (!stopping) {
  const saved = nextSave();
  if (await isBuilt()) await restart();
  else say('The build failed. Save a file to try again.');
  await saved;
}
await stop();
await Promise.all([bundler.dispose(), page.close()]);
process.exit(0);

/** esbuild reports why a build failed. */
function isBuilt() {
  return bundler.rebuild().then(
    () => true,
    () => false,
  );
}

/** The old process must exit before the new one uses its port and data folder. */
async function restart() {
  if (service !== undefined) say('Restarting.');
  await stop();
  if (stopping) return;
  service = spawn(process.execPath, PROGRAM, { stdio: 'inherit' });
  service.once('exit', () => say('The service exited. Save a file to restart it.'));
}

async function stop() {
  if (service === undefined || service.exitCode !== null || service.signalCode !== null) return;
  service.removeAllListeners('exit');
  const ended = once(service, 'exit');
  service.kill('SIGINT');
  await ended;
}

/** The console at the port after the service's, which answers everything else. */
async function serveConsole() {
  const port = servicePort();
  const service = `http://localhost:${port}`;
  const settings = {
    name: 'settings',
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
    plugins: [settings],
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

/** Watches folders instead of files: many editors save by renaming, which a watch on the file would miss. */
function watchFolders() {
  const folders = SOURCES.flatMap((root) => [
    root,
    ...readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name)),
  ]);
  const added = folders.filter((folder) => !watched.has(folder));
  for (const folder of added) {
    const watcher = watch(folder, (_, file) => {
      if (watchFolders() || file?.endsWith('.ts')) onSave();
    });
    watcher.on('error', () => undefined);
    watched.set(folder, watcher);
  }
  for (const [folder, watcher] of watched) {
    if (folders.includes(folder)) continue;
    watcher.close();
    watched.delete(folder);
  }
  return added.length > 0;
}

function say(line) {
  process.stderr.write(`${line}\n`);
}
