import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Long enough for a server whose service was just killed to learn of it. */
const WAIT_FOR_IDLE_MS = 3_000;
/** A server that has begun to stop may still have much to write. */
const WAIT_FOR_STOPPING_MS = 60_000;

export class FolderInUse extends Error {}

interface Occupant {
  readonly pid: number;
  readonly stopping: boolean;
}

/** Resolves when no server runs on the cluster; throws when one does and shows no sign of going away. */
export async function waitUntilFree(cluster: string): Promise<void> {
  const began = Date.now();
  for (let found = await findOccupant(cluster); found; found = await findOccupant(cluster)) {
    const patience = found.stopping ? WAIT_FOR_STOPPING_MS : WAIT_FOR_IDLE_MS;
    if (Date.now() - began > patience) {
      throw new FolderInUse(
        `another service uses the data folder ${cluster} (its PostgreSQL server is process ${found.pid})`,
      );
    }
    await sleep(100);
  }
  await removeMisleadingPidFile(cluster);
}

/** The process that the cluster's lock file names: a server that answers on the socket may be another's. */
export async function lockHolder(cluster: string): Promise<number> {
  return Number((await readPidFile(cluster))[0]);
}

/**
 * PostgreSQL replaces the file of a dead process itself, but gives way to any living one, even if the number has
 * meanwhile gone to a program that has nothing to do with it. Only that case is ours.
 */
async function removeMisleadingPidFile(cluster: string): Promise<void> {
  const pid = await lockHolder(cluster);
  if (pid > 0 && isRunning(pid) && !(await findOccupant(cluster))) await rm(pidFile(cluster), { force: true });
}

/** Lines of postmaster.pid: 1 process, 5 socket folder, 4 socket number, 8 state. */
async function findOccupant(cluster: string): Promise<Occupant | undefined> {
  const lines = await readPidFile(cluster);
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const alive = (await isServerOf(cluster, pid)) || (await answers(join(lines[4] ?? '', `.s.PGSQL.${lines[3] ?? ''}`)));
  return alive ? { pid, stopping: lines[7] === 'stopping' } : undefined;
}

async function readPidFile(cluster: string): Promise<string[]> {
  const text = await readFile(pidFile(cluster), 'utf8').catch(ignoreMissing);
  return text.split('\n').map((line) => line.trim());
}

function pidFile(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

/** A number alone proves nothing: after a reboot it may belong to any process. */
async function isServerOf(cluster: string, pid: number): Promise<boolean> {
  try {
    if (process.platform === 'linux') return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(cluster));
    const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]);
    return stdout.includes(cluster);
  } catch {
    return false;
  }
}

/** Finds a server in another container on a shared volume, whose process is not to be seen from here. */
async function answers(socketPath: string): Promise<boolean> {
  const socket = connect(socketPath);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}
