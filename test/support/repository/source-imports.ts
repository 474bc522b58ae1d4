import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix, sep } from 'node:path';
import ts from 'typescript';

/** A source file by its path in the repository, with `/` on every system. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** One import of another file of the repository. */
export interface Import {
  readonly from: string;
  readonly to: string;
  /** Location and text, for error messages. */
  readonly shown: string;
}

/** The TypeScript files in these folders, without packages and builds. */
export function sourceFiles(...folders: string[]): SourceFile[] {
  return filesIn(folders, /\.ts$/);
}

/** All modules in these folders, those of the console and those without types among them. */
export function moduleFiles(...folders: string[]): SourceFile[] {
  return filesIn(folders, /\.(tsx?|mjs)$/);
}

function filesIn(folders: readonly string[], names: RegExp): SourceFile[] {
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
    .filter((path) => !/\/(node_modules|dist)\//.test(path))
    .filter((path) => names.test(path))
    .map((path) => ({ path: path.replaceAll(sep, '/'), text: readFileSync(path, 'utf8') }));
}

/** The relative imports of a file: static, dynamic, types and re-exports. */
export function importsOf({ path, text }: SourceFile): Import[] {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName, pos }) => {
      const line = text.slice(0, pos).split('\n').length;
      const to = posix.join(posix.dirname(path), fileName).replace(/\.js$/, '.ts');
      return { from: path, to, shown: `${path}:${line} imports ${to}` };
    });
}
