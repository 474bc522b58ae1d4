import { readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A PostgreSQL lock file: the process id, and in postmaster.pid seven more lines. */
export class LockFile {
  private constructor(
    readonly path: string,
    private readonly text: string,
    private readonly isReadable: boolean,
  ) {}

  /** Undefined if it does not exist. */
  static async read(path: string): Promise<LockFile | undefined> {
    try {
      const [{ uid, mode }, folder] = await Promise.all([stat(path), stat(dirname(path))]);
      // The server runs as the owner of its folder, who may not be the user of this process.
      const isReadable = uid === folder.uid && (mode & 0o400) !== 0;
      return new LockFile(path, await readFile(path, 'latin1'), isReadable);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return undefined;
      if (code === 'EISDIR')
        throw new Error(`${path} is a folder, but must be a file or absent: remove the folder`, { cause: error });
      throw new Error(`${path} cannot be read (${String(code)}): remove it if no PostgreSQL server uses its folder`, {
        cause: error,
      });
    }
  }

  /** Undefined if the file contains none. */
  get pid(): number | undefined {
    const [first = ''] = this.lines;
    return /^[1-9]\d{0,8}$/.test(first) ? Number(first) : undefined;
  }

  /** Only postmaster.pid contains the server's socket. */
  get socket(): { folder: string; number: string } | undefined {
    const [, , , number, folder] = this.lines;
    return number === undefined || !folder?.startsWith('/') ? undefined : { folder, number };
  }

  get saysStopping(): boolean {
    return this.lines[7] === 'stopping';
  }

  /** PostgreSQL replaces the lock file of a dead process, but refuses to start if it finds any other one. */
  get blocksStart(): boolean {
    return !this.isReadable || this.pid === undefined || isRunning(this.pid);
  }

  /** Removes the file unless it has changed since it was read. */
  async remove(): Promise<void> {
    const now = await LockFile.read(this.path);
    if (now?.text === this.text) await rm(this.path, { force: true });
  }

  private get lines(): string[] {
    return this.text.split('\n').map((line) => line.trim());
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
