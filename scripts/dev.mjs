// `npm run dev`: runs the service from its sources and restarts it on every save. Vite serves the console and updates the open page.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from 'vite';
import { readCommandLine } from '../dist/src/config/command-line.js';
import { readProcessConfig } from '../dist/src/config/config.js';

readCommandLine(
  'Runs the service and the console from their sources and applies every save. It has no options.\n\n  npm run dev',
  {},
);

const SOURCES = ['src', 'migrations'];
const PROGRAM = [
  '--enable-source-maps',
  '--conditions=waybill-source',
  '--import',
  './scripts/typescript.mjs',
  'src/main.ts',
];

/** Saving all files or switching branches causes many events. */
const SETTLE_MS = 100;

const watched = new Map();
let onSave = () => undefined;
let service;
let stopping = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    stopping = true;
    service?.kill(signal);
    onSave();
  });
}

const page = await serveConsole();
watchFolders();
while (!stopping) {
  const saved = nextSave();
  service = spawn(process.execPath, PROGRAM, { stdio: 'inherit' });
  const ended = once(service, 'exit');
  const hasEnded = await Promise.race([saved.then(() => false), ended.then(() => true)]);
  if (hasEnded && !stopping) say('The service exited. Save a file to restart it.');
  await saved;
  // The old process must exit before the new one uses its port and data folder.
  if (!stopping) {
    service.kill('SIGINT');
    await ended;
    say('Restarting.');
  }
}
if (service.exitCode === null && service.signalCode === null) await once(service, 'exit');
await page.close();
process.exit(0);

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
