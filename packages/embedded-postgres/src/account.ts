import { access, chmod, chown, lstat, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The user that runs the server, if not the service's own. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

const NOBODY: Account = { uid: 65534, gid: 65534 };

/**
 * PostgreSQL refuses to run as root. Root therefore runs it as the owner of the data folder, so that the same checkout also works for
 * that owner without root, or as nobody if root owns everything. Undefined means the service's own user.
 */
export async function chooseAccount(dataFolder: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = await stat(await nearestExisting(dataFolder));
  return uid === 0 ? NOBODY : { uid, gid };
}

/** Whether the account has access to every folder on the path. */
export async function canReach(account: Account | undefined, path: string): Promise<boolean> {
  if (!account) return true;
  for (let folder = await nearestExisting(path); ; folder = dirname(folder)) {
    if (!(await canPass(account, folder))) return false;
    if (folder === dirname(folder)) return true;
  }
}

/**
 * Creates a folder and its parents. Folders that root creates get the owner of the parent folder, so that starting with sudo does not
 * lock out the owner of a checkout, and are open to the server's account, whatever the umask.
 */
export async function makeFolder(folder: string): Promise<void> {
  if (await exists(folder)) return;
  await makeFolder(dirname(folder));
  await mkdir(folder).catch(ignoreExisting);
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dirname(folder));
  await chown(folder, uid, gid);
  await chmod(folder, 0o755);
}

/** For files that two concurrent starts may both create. */
export function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function canPass(account: Account, path: string): Promise<boolean> {
  const { uid, gid, mode } = await stat(path);
  if (uid === account.uid) return (mode & 0o100) !== 0;
  if (gid === account.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}

async function nearestExisting(path: string): Promise<string> {
  try {
    await access(path);
    return path;
  } catch {
    return nearestExisting(dirname(path));
  }
}
