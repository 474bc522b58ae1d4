// The sources that a run was made with, as Git names them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDERS = ['src', 'migrations', 'client', 'console'];
/** Evidence of other runs and the documents that quote it change no result. */
const OTHERS = [':!docs', ':!*.md'];

/** The commit, whether files differ from it, and the tree of each folder as it is now; undefined outside a Git repository. */
export function sources(cwd = process.cwd()) {
  try {
    const commit = git(cwd, ['rev-parse', 'HEAD']);
    const tracked = git(cwd, ['status', '--porcelain', '--untracked-files=no', '--', '.', ...OTHERS]);
    const inFolders = git(cwd, ['status', '--porcelain', '--', ...FOLDERS, ...OTHERS]);
    const root = inFolders === '' ? 'HEAD' : workingTree(cwd);
    const trees = FOLDERS.map((folder) => [
      folder,
      git(cwd, ['rev-parse', '--verify', '--quiet', `${root}:${folder}`]),
    ]);
    return { commit, changed: tracked + inFolders !== '', trees: Object.fromEntries(trees) };
  } catch {
    return undefined;
  }
}

/** The tree that a commit of everything in these folders would have. The index of the repository stays as it is. */
function workingTree(cwd) {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-index-'));
  const env = { ...process.env, GIT_INDEX_FILE: join(folder, 'index') };
  try {
    git(cwd, ['read-tree', 'HEAD'], env);
    git(cwd, ['add', '--all', '--', ...FOLDERS], env);
    return git(cwd, ['write-tree'], env);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function git(cwd, words, env = process.env) {
  return execFileSync('git', words, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}
