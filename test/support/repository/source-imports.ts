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
  /** Where it stands and how it reads, for a person who has to find it. */
  readonly shown: string;
}

/** The TypeScript files in these folders, as far as they are there; packages that a contender of the benchmark brought are not ours. */
export function sourceFiles(...folders: string[]): SourceFile[] {
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
    .filter((path) => !/\/(node_modules|dist)\//.test(path))
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path: path.replaceAll(sep, '/'), text: readFileSync(path, 'utf8') }));
}

/** The imports of a file that name a file by its path: static, dynamic, of types, and re-exports. */
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
