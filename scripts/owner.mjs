import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** Root must not leave files in somebody's checkout that its owner can neither replace nor remove. */
export function giveToOwner(path) {
  const { uid, gid } = statSync('.');
  // It may fail for a file that another command is just moving, and gives away itself.
  if (process.getuid?.() === 0 && uid !== 0) spawnSync('chown', ['-R', `${uid}:${gid}`, path]);
}
