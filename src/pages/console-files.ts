import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { projectFolder } from './assets.js';

/** A built file of the console, as it is and compressed. */
export interface ConsoleFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

interface BuiltConsole {
  readonly index: string;
  readonly files: ReadonlyMap<string, ConsoleFile>;
}

let built: BuiltConsole | undefined;

/** What `npm run build:console` made, read once; undefined while there is none. */
export function builtConsole(): BuiltConsole | undefined {
  return (built ??= readFrom(join(projectFolder(), 'console', 'dist')));
}

function readFrom(folder: string): BuiltConsole | undefined {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) return undefined;
  const assets = join(folder, 'assets');
  const files = readdirSync(assets).map((name): [string, ConsoleFile] => {
    const plain = readFileSync(join(assets, name));
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    return [name, { type, plain, gzipped: gzipSync(plain, { level: 9 }) }];
  });
  return { index: readFileSync(index, 'utf8'), files: new Map(files) };
}
