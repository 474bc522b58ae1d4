import { cpSync, existsSync, lchownSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Ignored by git. Inside the checkout, because a rename is atomic only within one file system. */
export const DRAFT_PREFIX = '.prepare-';

/**
 * Replaces a folder with a finished one. A running service never sees an incomplete folder, and no old content remains: a migration
 * that was removed from the sources must disappear here, too.
 */
export function swapIn(draft, target) {
  giveToOwner(draft, statSync(dirname(target)));
  const trash = mkdtempSync(join(dirname(draft), `${DRAFT_PREFIX}old-`));
  try {
    if (existsSync(target)) renameSync(target, join(trash, basename(target)));
    renameSync(draft, target);
  } catch (error) {
    if (error.code !== 'EBUSY' && error.code !== 'EXDEV') throw error;
    replaceContent(draft, target);
  }
}

/** Root must not leave files in a user's checkout that the user cannot replace or remove. */
function giveToOwner(path, { uid, gid }) {
  if (process.getuid?.() !== 0 || uid === 0) return;
  lchownSync(path, uid, gid);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) giveToOwner(join(path, entry.name), { uid, gid });
    else lchownSync(join(path, entry.name), uid, gid);
  }
}

/** A mount point, such as a container volume for node_modules, cannot be renamed. */
function replaceContent(draft, target) {
  for (const name of readdirSync(target)) rmSync(join(target, name), { recursive: true, force: true });
  cpSync(draft, target, { recursive: true, verbatimSymlinks: true });
}

/** Also removes what a crash left behind. Only the holder of the lock may call this. */
export function removeDrafts(root) {
  for (const name of readdirSync(root).filter((entry) => entry.startsWith(DRAFT_PREFIX))) {
    try {
      rmSync(join(root, name), { recursive: true, force: true });
    } catch (error) {
      // Created by root: harmless, and not worth a failed start.
      if (error.code !== 'EACCES' && error.code !== 'EPERM') throw error;
    }
  }
}
