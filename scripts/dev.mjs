// `npm run dev`: runs the service from its sources, without a build, and restarts it when one of them is saved.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCommandLine } from '../dist/src/config/command-line.js';

readCommandLine(
  'Runs the service from its sources, and restarts it when one of them is saved. It takes no options.\n\n  npm run dev',
  {},
);

const SOURCES = ['src', 'migrations'];
const PROGRAM = ['--enable-source-maps', '--import', './scripts/typescript.mjs', 'src/main.ts'];

/** Saving all files, or changing the branch, comes as many events. */
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

watchFolders();
while (!stopping) {
  const saved = nextSave();
  service = spawn(process.execPath, PROGRAM, { stdio: 'inherit' });
  const ended = once(service, 'exit');
  const hasEnded = await Promise.race([saved.then(() => false), ended.then(() => true)]);
  if (hasEnded && !stopping) say('The service ended. It starts again when you save a file.');
  await saved;
  // The old process must be gone before the new one takes its port and its data folder.
  if (!stopping) {
    service.kill('SIGINT');
    await ended;
    say('Restarting.');
  }
}
if (service.exitCode === null && service.signalCode === null) await once(service, 'exit');
process.exit(0);

/** Resolves after the next save. Called before the service starts, so that a save during its start is not missed. */
function nextSave() {
  return new Promise((resolve) => {
    onSave = resolve;
  }).then(() => (stopping ? undefined : sleep(SETTLE_MS)));
}

/** Watches folders and not files: many editors save by renaming another file into place, which a watch on the file misses. */
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
