import { randomUUID } from 'node:crypto';
import { closeSync, openSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Imported files are stored in the temporary folder. A container with a read-only root file system has none unless one is mounted. */
export function temporaryFolderFaults(): string[] {
  const path = join(tmpdir(), `waybill-${randomUUID()}`);
  try {
    closeSync(openSync(path, 'wx', 0o600));
    unlinkSync(path);
    return [];
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    return [`The temporary folder ${tmpdir()} must be writable (${code}): mount one there, or set TMPDIR to another`];
  }
}
