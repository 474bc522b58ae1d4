import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from './account.js';
import { SOCKET_NUMBER } from './settings.js';

/** The shortest limit of the supported systems (macOS: 104 with the terminating zero byte; Linux: 108). */
const MAX_SOCKET_PATH_LENGTH = 103;

export interface SocketFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** The cluster's own folder, which is already private, or a private one with a shorter path. */
export async function makeSocketFolder(cluster: string, account: Account | undefined): Promise<SocketFolder> {
  if (fits(cluster)) return { path: cluster, remove: () => Promise.resolve() };
  const parent = fits(join(tmpdir(), 'waybill-XXXXXX')) ? tmpdir() : '/tmp';
  const path = await mkdtemp(join(parent, 'waybill-'));
  if (account) await chown(path, account.uid, account.gid);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${SOCKET_NUMBER}`)) <= MAX_SOCKET_PATH_LENGTH;
}
