import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const BEAT_MS = 1_000;
const SILENT_AFTER_MS = 15_000;

/** Runs one action at a time. The holder keeps touching the file, so that others can detect a crashed holder. */
export async function withLock(file, say, action) {
  const token = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() });
  await acquire(file, token, say);
  const beat = setInterval(() => touch(file), BEAT_MS);
  try {
    return await action();
  } finally {
    clearInterval(beat);
    if (look(file)?.token === token) rmSync(file, { force: true });
  }
}

async function acquire(file, token, say) {
  let seen;
  let since = Date.now();
  while (!create(file, token)) {
    const found = look(file);
    if (!found) continue;
    if (!seen) say('Waiting for another process that is installing or building.');
    if (found.token !== seen?.token || found.beat !== seen.beat) since = Date.now();
    seen = found;
    if (hasDied(found.token) || Date.now() - since > SILENT_AFTER_MS) breakLock(file, found.token);
    else await sleep(100);
  }
}

function create(file, token) {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, token);
  try {
    // A link appears together with its content, unlike a file that is opened and then written.
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft);
  }
}

function look(file) {
  try {
    return { token: readFileSync(file, 'utf8'), beat: statSync(file).mtimeMs };
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  }
}

/** Process ids are meaningless across hosts and containers; there, only the age of the file counts. */
function hasDied(token) {
  const { pid, host } = JSON.parse(token);
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Two processes may find the same dead lock: the slower one must not break the faster one's new lock. */
function breakLock(file, token) {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
    if (readFileSync(aside, 'utf8') !== token) linkSync(aside, file);
    rmSync(aside);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

function touch(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}
