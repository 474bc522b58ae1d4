import { execFile } from 'node:child_process';
import { chown, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Account, exists, makeFolder } from './account.js';
import { SERVER_ENVIRONMENT, SUPERUSER } from './settings.js';

const ABANDONED_AFTER_MS = 10 * 60_000;

/** Creates the database cluster unless it exists. It gets its name only when complete. */
export async function ensureCluster(initdb: string, cluster: string, account: Account | undefined): Promise<void> {
  await makeFolder(dirname(cluster));
  await removeAbandonedDrafts(cluster);
  if (await exists(cluster)) return;
  const draft = await mkdtemp(`${cluster}.new-`);
  try {
    if (account) await chown(draft, account.uid, account.gid);
    await initialise(initdb, draft, account);
    await rename(draft, cluster);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // A concurrent first start was faster: use its cluster.
    if (!(await exists(cluster))) throw error;
  }
}

/** Explains more clearly than PostgreSQL that the cluster belongs to another user. */
export async function assertOwned(cluster: string, account: Account | undefined): Promise<void> {
  const { uid } = await stat(cluster);
  const expected = account?.uid ?? process.getuid?.();
  if (uid === expected) return;
  const remedy = 'start the service as that user (or as root), or remove the folder to start over';
  throw new Error(`${cluster} belongs to user ${uid}, not to user ${String(expected)}: ${remedy}`);
}

async function initialise(initdb: string, folder: string, account: Account | undefined): Promise<void> {
  const options = ['-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions', '-U', SUPERUSER];
  await promisify(execFile)(initdb, [...options, '-D', folder], { ...account, cwd: folder, env: SERVER_ENVIRONMENT });
}

/** Uses the age instead of a process id to detect a crashed initdb, because ids are meaningless across containers. */
async function removeAbandonedDrafts(cluster: string): Promise<void> {
  const folder = dirname(cluster);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(cluster)}.new-`)) continue;
    const draft = join(folder, name);
    const modified = await stat(draft).catch(() => undefined);
    if (modified && Date.now() - modified.mtimeMs > ABANDONED_AFTER_MS)
      await rm(draft, { recursive: true, force: true });
  }
}
