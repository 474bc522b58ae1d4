import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

const SIZE = '2g';
const LEFT = 16 * 2 ** 20;

/** A disk of a machine's own, in memory, so that it can be full. Only root can mount it. */
export class Disk {
  static readonly canBeMounted = process.getuid?.() === 0;

  private isRemoved = false;

  private constructor(private readonly folder: string) {}

  /** A folder like any other where no disk can be mounted. */
  static async in(folder: string): Promise<Disk> {
    await mkdir(folder, { mode: 0o777 });
    if (Disk.canBeMounted) execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=777`, 'tmpfs', folder]);
    return new Disk(folder);
  }

  /** Leaves a little space: other processes keep writing to the disk, and an attempt to take all of it would fail. */
  fill(): void {
    const { bavail, bsize } = statfsSync(this.folder);
    execFileSync('fallocate', ['--length', String(bavail * bsize - LEFT), this.ballast]);
  }

  clear(): void {
    rmSync(this.ballast, { force: true });
  }

  /** Also what still has files open there does not keep it. */
  remove(): void {
    if (!Disk.canBeMounted || this.isRemoved) return;
    this.isRemoved = true;
    execFileSync('umount', ['--lazy', this.folder]);
  }

  private get ballast(): string {
    return join(this.folder, 'ballast');
  }
}
