import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PACKAGE = '@stryker-mutator/instrumenter';
/** The newest one for Node.js 20. */
const VERSION = '9.6.1';

/** Descriptions, messages of problems and names of statements: texts for people, or those that no request runs without. */
const NOT_MUTATED = ['StringLiteral'];

/** What the instrumenter logs is of no interest. */
const ignore = (): undefined => undefined;
const QUIET = { debug: ignore, info: ignore, isDebugEnabled: () => false };

/** A small change of a source, which a variable of the environment turns on in the instrumented sources. */
export interface Mutant {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
}

interface Position {
  readonly line: number;
  readonly column: number;
}
interface Instrumented {
  readonly files: readonly { name: string; content: string }[];
  readonly mutants: readonly {
    id: string;
    fileName: string;
    mutatorName: string;
    replacement: string;
    /** `Ignored` if the mutation is excluded. */
    status?: string;
    /** Lines and columns count from 0. */
    location: { start: Position; end: Position };
  }[];
}
interface Instrumenter {
  instrument(
    files: readonly { name: string; content: string; mutate: true }[],
    options: { plugins: unknown[]; excludedMutations: readonly string[]; ignorers: readonly never[] },
  ): Promise<Instrumented>;
}

/** All mutants of these folders, with the sources that have them. */
export async function mutantsOf(
  folders: readonly string[],
): Promise<{ mutants: Mutant[]; sources: ReadonlyMap<string, string> }> {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const instrumented = await (
    await loadInstrumenter()
  ).instrument(
    [...texts].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: ['decorators-legacy'], excludedMutations: NOT_MUTATED, ignorers: [] },
  );
  const mutants = instrumented.mutants
    .filter(({ status }) => status === undefined)
    .map(({ id, fileName, mutatorName, replacement, location: { start, end } }) => ({
      id,
      file: fileName,
      line: start.line + 1,
      mutator: mutatorName,
      original: textBetween(texts.get(fileName) ?? '', start, end),
      replacement,
    }));
  return { mutants, sources: new Map(instrumented.files.map(({ name, content }) => [name, content])) };
}

function textBetween(text: string, start: Position, end: Position): string {
  const lines = text.split('\n');
  const offset = ({ line, column }: Position) => lines.slice(0, line).join('\n').length + (line > 0 ? 1 : 0) + column;
  return text.slice(offset(start), offset(end));
}

/** From Stryker, into a folder that goes with this process. Stryker itself cannot run specs that share modules between files. */
async function loadInstrumenter(): Promise<Instrumenter> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-stryker-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: { [PACKAGE]: VERSION } }));
  const words = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
  const { status, stderr } = spawnSync('npm', words, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm cannot install ${PACKAGE}: ${stderr.slice(0, 500)}`);
  const entry = createRequire(join(folder, 'package.json')).resolve(PACKAGE);
  const { Instrumenter } = (await import(pathToFileURL(entry).href)) as {
    Instrumenter: new (logger: typeof QUIET) => Instrumenter;
  };
  return new Instrumenter(QUIET);
}
