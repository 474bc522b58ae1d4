import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LockFile } from './lock-file.js';
import { answersOn, findServerProcess } from './running-server.js';
import { SOCKET_NUMBER } from './settings.js';

/** Time for a server to notice that its service was killed. */
const WAIT_FOR_IDLE_MS = 3_000;
/** A server that is shutting down may still have much to write. */
const WAIT_FOR_STOPPING_MS = 60_000;

export class FolderInUse extends Error {}

interface Occupant {
  readonly pid: number | undefined;
  readonly stopping: boolean;
}

/** Resolves when no server uses the cluster; throws if one does and keeps running. */
export async function waitUntilFree(cluster: string): Promise<void> {
  const began = Date.now();
  for (let found = await findOccupant(cluster); found; found = await findOccupant(cluster)) {
    const patience = found.stopping ? WAIT_FOR_STOPPING_MS : WAIT_FOR_IDLE_MS;
    if (Date.now() - began > patience) {
      const server = found.pid === undefined ? 'responds on its socket' : `is process ${found.pid}`;
      throw new FolderInUse(`another service uses the data folder ${cluster} (its PostgreSQL server ${server})`);
    }
    await sleep(100);
  }
  await removeBlockingLockFiles(cluster);
}

/** The process in the cluster's lock file: a server that responds on the socket may belong to another cluster. */
export async function lockHolder(cluster: string): Promise<number | undefined> {
  return (await LockFile.read(postmasterPid(cluster)))?.pid;
}

/**
 * A lock file may be empty or garbled after a full disk or a system crash, and after a reboot it may name an unrelated process.
 * PostgreSQL would then refuse to start, although nothing uses the cluster.
 */
async function removeBlockingLockFiles(cluster: string): Promise<void> {
  for (const path of [postmasterPid(cluster), join(cluster, `.s.PGSQL.${SOCKET_NUMBER}.lock`)]) {
    const lock = await LockFile.read(path);
    if (lock?.blocksStart && !(await findOccupant(cluster))) await lock.remove();
  }
}

async function findOccupant(cluster: string): Promise<Occupant | undefined> {
  const lock = await LockFile.read(postmasterPid(cluster));
  const stopping = lock?.saysStopping ?? false;
  const pid = await findServerProcess(cluster);
  if (pid !== undefined) return { pid, stopping };
  const sockets = [lock?.socket, { folder: cluster, number: SOCKET_NUMBER }];
  for (const socket of sockets) {
    if (socket && (await answersOn(socket.folder, socket.number))) return { pid: lock?.pid, stopping };
  }
  return undefined;
}

function postmasterPid(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}
