import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Above this file, whether it is part of a bundle or compiled by itself. */
export function projectFolder(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'public', 'docs.js'))) return folder;
    if (folder === dirname(folder)) throw new Error('The folder "public" is missing');
  }
}

/** The version of the release, which package.json states. */
export function releaseVersion(): string {
  const { version } = JSON.parse(readFileSync(join(projectFolder(), 'package.json'), 'utf8')) as { version: string };
  return version;
}
