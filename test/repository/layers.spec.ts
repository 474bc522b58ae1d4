import { basename } from 'node:path';
import { importsOf, moduleFiles, sourceFiles, type SourceFile } from '../support/repository/source-imports.js';

/**
 * The folders of src from the bottom to the top; `resources`, `app` and `main` are the files of that name in src itself.
 * A file imports from its own layer and from those below it. A new folder is put here, where it belongs.
 */
const LAYERS = [
  'validation',
  'config',
  'problem',
  'etag',
  'database',
  'http',
  'server',
  'auth',
  'records',
  'history',
  'writes',
  'openapi',
  'operations',
  'files',
  'moves',
  'shipments',
  'overview',
  'bulk',
  'imports',
  'webhooks',
  'resources',
  'open-database',
  'events',
  'deliveries',
  'pages',
  'app',
  'main',
];

/** Names that say nothing about what is inside, so that everything ends up there. */
const NAMELESS = /^(common|utils?|helpers?|shared|misc|lib)$/;

function layerOf(path: string): string | undefined {
  const [, layer] = /^src\/([^/.]+)/.exec(path) ?? [];
  return layer;
}

function brokenLayers(files: readonly SourceFile[]): string[] {
  const strangers = files.filter(({ path }) => !LAYERS.includes(layerOf(path) ?? ''));
  const upward = files.flatMap(importsOf).filter(({ from, to }) => {
    const [below, above] = [LAYERS.indexOf(layerOf(from) ?? ''), LAYERS.indexOf(layerOf(to) ?? '')];
    return above > below && below !== -1;
  });
  return [
    ...strangers.map(({ path }) => `${path} is in no layer: give its folder a place in LAYERS`),
    ...upward.map(({ shown }) => `${shown}, which is a layer above it`),
  ];
}

/** A tool uses the service; the service runs without any tool. */
function importedTools(files: readonly SourceFile[]): string[] {
  return files
    .flatMap(importsOf)
    .filter(({ to }) => to.startsWith('tools/'))
    .map(({ shown }) => shown);
}

/** Migrations are frozen history: sources go on changing, so a migration must not lean on them. */
function leaningMigrations(files: readonly SourceFile[]): string[] {
  return files
    .flatMap(importsOf)
    .filter(({ to }) => !to.startsWith('migrations/'))
    .map(({ shown }) => shown);
}

/** A package stands by itself: others use it, and it knows nothing of them. */
function leaningPackages(files: readonly SourceFile[]): string[] {
  return files
    .flatMap(importsOf)
    .filter(({ from, to }) => from.split('/', 2).join('/') !== to.split('/', 2).join('/'))
    .map(({ shown }) => shown);
}

/** Imports of types alone, which are gone at run time. */
const TYPE_IMPORT = /^(import|export) (type [^;]*|\{(\s*type [\w ]+,?)+\s*\} from [^;]*);/gm;

/** The imports of circles: what remains without files that import none of the others, or that none imports. */
function circularImports(files: readonly SourceFile[]): string[] {
  const withoutExtension = (path: string) => path.replace(/\.(tsx?|mjs)$/, '');
  let left = files
    .map(({ path, text }) => ({ path, text: text.replace(TYPE_IMPORT, (lines) => lines.replace(/[^\n]/g, ' ')) }))
    .map((file) => ({ name: withoutExtension(file.path), imports: importsOf(file) }));
  for (let before = 0; before !== left.length;) {
    before = left.length;
    const names = new Set(left.map(({ name }) => name));
    const imported = new Set(left.flatMap(({ imports }) => imports.map(({ to }) => withoutExtension(to))));
    left = left
      .map(({ name, imports }) => ({ name, imports: imports.filter(({ to }) => names.has(withoutExtension(to))) }))
      .filter(({ name, imports }) => imports.length > 0 && imported.has(name));
  }
  return left.flatMap(({ imports }) => imports.map(({ shown }) => shown));
}

function badNames(paths: readonly string[]): string[] {
  return paths.filter((path) => {
    const folders = path.split('/').slice(0, -1);
    return basename(path) === 'index.ts' || folders.some((folder) => NAMELESS.test(folder));
  });
}

describe('the sources', () => {
  it('import downwards only', () => {
    expect(brokenLayers(sourceFiles('src'))).toEqual([]);
  });

  it('import no tool', () => {
    expect(importedTools(sourceFiles('src'))).toEqual([]);
  });

  it('have migrations that import nothing but migrations', () => {
    expect(leaningMigrations(sourceFiles('migrations'))).toEqual([]);
  });

  it('have packages that import nothing of the service', () => {
    expect(leaningPackages(sourceFiles('packages'))).toEqual([]);
  });

  it('do not import each other in a circle', () => {
    const folders = [
      'src',
      'tools',
      'migrations',
      'packages',
      'client',
      'console',
      'test',
      'bench',
      'examples',
      'scripts',
    ];
    expect(circularImports(moduleFiles(...folders))).toEqual([]);
  });

  it('have neither barrels nor folders for everything', () => {
    const paths = sourceFiles('src', 'tools', 'migrations', 'packages', 'test', 'bench').map(({ path }) => path);
    expect(badNames(paths)).toEqual([]);
  });
});

describe('the check', () => {
  const moves = 'src/moves/move.entity.ts';

  it.each([
    ["import { Shipment } from '../shipments/shipment.entity.js';", 'src/shipments/shipment.entity.ts'],
    ["import type { Shipment } from '../shipments/shipment.entity.js';", 'src/shipments/shipment.entity.ts'],
    ["export * from '../app.module.js';", 'src/app.module.ts'],
    ["const app = await import('../app.setup.js');", 'src/app.setup.ts'],
  ])('names an upward import: %s', (line, target) => {
    const faults = brokenLayers([{ path: moves, text: `// first line\n${line}\n` }]);
    expect(faults).toEqual([`${moves}:2 imports ${target}, which is a layer above it`]);
  });

  it('passes an import of the same layer and of one below', () => {
    const text = "import { a } from './move-code.js';\nimport { b } from '../records/records.js';\n";
    expect(brokenLayers([{ path: moves, text }])).toEqual([]);
  });

  it('names a folder that has no place yet', () => {
    expect(brokenLayers([{ path: 'src/billing/bill.ts', text: '' }])).toEqual([
      'src/billing/bill.ts is in no layer: give its folder a place in LAYERS',
    ]);
  });

  it('names an import of a tool', () => {
    expect(importedTools([{ path: moves, text: "import { a } from '../../tools/seed/options.js';" }])).toEqual([
      `${moves}:1 imports tools/seed/options.ts`,
    ]);
  });

  it('names a migration that leans on the sources', () => {
    const text = "import { STATUSES } from '../src/shipments/shipment-status.js';";
    expect(leaningMigrations([{ path: 'migrations/1-first.ts', text }])).toEqual([
      'migrations/1-first.ts:1 imports src/shipments/shipment-status.ts',
    ]);
  });

  it('names a package that leans on the service', () => {
    const path = 'packages/embedded-postgres/src/server.ts';
    const text = "import { Config } from '../../../src/config/config.js';\nimport { a } from './account.js';";
    expect(leaningPackages([{ path, text }])).toEqual([`${path}:1 imports src/config/config.ts`]);
  });

  const circle = ['src/a.ts:3 imports src/b.ts', 'src/b.tsx:1 imports src/a.ts'];

  it.each([
    ["import { b } from './b.js';", circle],
    ["import { b, type B } from './b.js';", circle],
    ["export { b } from './b.js';", circle],
    ["const b = await import('./b.js');", circle],
    ["import { a } from './a.js';", ['src/a.ts:3 imports src/a.ts']],
    ["import type { B } from './b.js';", []],
    ["import { type B, type C } from './b.js';", []],
    ["import { c } from './c.mjs';", []],
  ])('names a circle of imports, but not one of types: %s', (line, faults) => {
    const files = [
      { path: 'src/a.ts', text: `import type {\n  X } from './b.js';\n${line}` },
      { path: 'src/b.tsx', text: "import { a } from './a.js';" },
      { path: 'src/c.mjs', text: '' },
    ];
    expect(circularImports(files)).toEqual(faults);
  });

  it('names barrels and nameless folders', () => {
    const paths = ['src/moves/index.ts', 'src/utils/dates.ts', 'src/moves/helpers/code.ts', 'src/moves/move-code.ts'];
    expect(badNames(paths)).toEqual(paths.slice(0, 3));
  });
});
