import { readFileSync } from 'node:fs';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
};

/** Reads the file that a variable names. The message of the error is a fault of the configuration. */
export function readNamedFile(variable: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(`${variable} names a file that cannot be read: ${file} (${REASONS[code] ?? message})`, {
      cause: error,
    });
  }
}
