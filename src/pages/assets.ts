import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface Asset {
  readonly type: string;
  readonly text: string;
}

const TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
};

/** Every file that the pages use, and the folder it is in. */
const FILES: Readonly<Record<string, 'public' | 'swagger-ui-dist'>> = {
  'favicon.svg': 'public',
  'theme.css': 'public',
  'page.css': 'public',
  'docs.css': 'public',
  'docs.js': 'public',
  'swagger-ui.css': 'swagger-ui-dist',
  'swagger-ui-bundle.js': 'swagger-ui-dist',
};

const read = new Map<string, Asset>();

/** A file that the pages use, read once; undefined for any other. */
export function readAsset(name: string): Asset | undefined {
  const folder = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (folder === undefined) return undefined;
  let asset = read.get(name);
  if (asset === undefined) {
    const type = TYPES[name.split('.').pop() as keyof typeof TYPES];
    asset = { type, text: readFileSync(join(folderOf(folder), name), 'utf8') };
    read.set(name, asset);
  }
  return asset;
}

/**
 * Looked up from the program that runs, not from this file: the same source is an ES module in the build and CommonJS in the
 * tests, and the two have no common way to name their own place.
 */
function folderOf(folder: 'public' | 'swagger-ui-dist'): string {
  if (folder === 'public') return join(projectFolder(), 'public');
  return dirname(createRequire(join(projectFolder(), 'package.json')).resolve('swagger-ui-dist/package.json'));
}

export function projectFolder(): string {
  for (const start of [dirname(process.argv[1] ?? '.'), process.cwd()]) {
    for (let folder = start; ; folder = dirname(folder)) {
      if (existsSync(join(folder, 'public', 'docs.js'))) return folder;
      if (folder === dirname(folder)) break;
    }
  }
  throw new Error('The folder "public" with the parts of the pages is missing beside the program');
}
