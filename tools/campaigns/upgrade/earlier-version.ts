import { execFileSync } from 'node:child_process';
import { say } from '../crash/report.js';

/** Writes the sources of a commit into a folder, and installs and builds them. */
export function checkOut(ref: string, folder: string): void {
  say(`Building ${ref}`);
  execFileSync('tar', ['-x', '-C', folder], { input: execFileSync('git', ['archive', ref], { maxBuffer: 2 ** 30 }) });
  execFileSync(process.execPath, ['scripts/prepare.mjs', 'all'], { cwd: folder, stdio: 'inherit' });
}
