// Another version of Waybill, to run beside this one.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Writes the sources of a commit into a folder, and installs and builds them. */
export function checkOut(ref, folder) {
  process.stderr.write(`Building ${ref}\n`);
  execFileSync('tar', ['-x', '-C', folder], { input: execFileSync('git', ['archive', ref], { maxBuffer: 2 ** 30 }) });
  prepare(folder);
}

/** The checkout in a folder, or that of a commit in a temporary folder, with the name of its commit. Undefined if it is neither. */
export function otherVersion(folderOrRef = '') {
  if (folderOrRef === '') return undefined;
  if (existsSync(join(folderOrRef, 'scripts/prepare.mjs'))) {
    const folder = resolve(folderOrRef);
    const isChanged = git('-C', folder, 'status', '--porcelain') !== '';
    return { folder, commit: `${git('-C', folder, 'rev-parse', '--short=8', 'HEAD')}${isChanged ? ', changed' : ''}` };
  }
  const commit = git('rev-parse', '--verify', '--quiet', '--short=8', `${folderOrRef}^{commit}`);
  return commit === '' ? undefined : { commit };
}

/** Installs and builds it. A checkout of a commit is removed at the end of the process. */
export function prepareVersion({ folder, commit }) {
  if (folder !== undefined) {
    prepare(folder);
    return folder;
  }
  const temporary = mkdtempSync(join(tmpdir(), 'waybill-earlier-'));
  process.once('exit', () => rmSync(temporary, { recursive: true, force: true }));
  checkOut(commit, temporary);
  return temporary;
}

function prepare(folder) {
  execFileSync(process.execPath, ['scripts/prepare.mjs', 'all'], { cwd: folder, stdio: 'inherit' });
}

function git(...words) {
  return spawnSync('git', words, { encoding: 'utf8' }).stdout.trim();
}
