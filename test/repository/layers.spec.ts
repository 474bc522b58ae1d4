import { basename, dirname } from 'node:path';
import ts from 'typescript';
import {
  type Import,
  importsOf,
  moduleFiles,
  sourceFiles,
  type SourceFile,
} from '../support/repository/source-imports.js';

/**
 * The folders of src from the bottom to the top; `open-database`, `app` and `main` are the files of that name in src itself.
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
  'model',
  'writes',
  'openapi',
  'operations',
  'search',
  'files',
  'moves',
  'shipments',
  'overview',
  'deletions',
  'bulk',
  'imports',
  'keys',
  'webhooks',
  'open-database',
  'events',
  'deliveries',
  'api-texts',
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

/** The longest chain of folders in which each imports the next one, from the top to the bottom. */
function longestChain(files: readonly SourceFile[]): string[] {
  const below = new Map<string, Set<string>>(LAYERS.map((layer) => [layer, new Set()]));
  for (const { from, to } of files.flatMap(importsOf)) below.get(layerOf(from) ?? '')?.add(layerOf(to) ?? '');
  const chains = new Map<string, string[]>();
  for (const layer of LAYERS) {
    const lower = [...(below.get(layer) ?? [])].map((each) => chains.get(each) ?? []);
    const longest = lower.reduce((one, other) => (other.length > one.length ? other : one), []);
    chains.set(layer, [layer, ...longest]);
  }
  return [...chains.values()].reduce((one, other) => (other.length > one.length ? other : one));
}

/** The imports in these folders that are not allowed there. */
function forbidden(folder: string, isForbidden: (each: Import) => boolean): string[] {
  return sourceFiles(folder)
    .flatMap(importsOf)
    .filter(isForbidden)
    .map(({ shown }) => shown);
}

/** The imports of circles, types included: what remains without files that import none of the others, or that none imports. */
function circularImports(files: readonly SourceFile[]): string[] {
  const withoutExtension = (path: string) => path.replace(/\.(tsx?|mjs)$/, '');
  let left = files.map((file) => ({ name: withoutExtension(file.path), imports: importsOf(file) }));
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

/** Folders that are about all features, or about none. */
const WITHOUT_FEATURES = [
  'validation',
  'problem',
  'etag',
  'database',
  'http',
  'server',
  'records',
  'history',
  'writes',
  'openapi',
  'operations',
];

/**
 * Features and kinds of records. Records of every kind have deletions and events, callers can have an API key, and every OpenAPI document
 * has a member `webhooks`: these are allowed.
 */
const FEATURE = /^(shipment|move|agent|delivery|deliverie|bulk|import|overview|webhook)s?$/;
const TABLE_OF_KEYS = /apiKey|keys k\b|key_(progress|hashes)/;

function namesFeature(text: string): boolean {
  const words = text.split(/(?<=[a-z])(?=[A-Z])|[^A-Za-z]+/);
  return words.some((word) => FEATURE.test(word.toLowerCase())) || TABLE_OF_KEYS.test(text);
}

const isMemberOfDocument = (path: string, name: string) =>
  path === 'src/openapi/api-document.ts' && name === 'webhooks';

/** The identifiers and literals of a file that name a feature, without its imports. */
function namedFeatures({ path, text }: SourceFile): string[] {
  const found: string[] = [];
  const look = (node: ts.Node) => {
    if (ts.isImportDeclaration(node)) return;
    const isWord = ts.isIdentifier(node) || ts.isLiteralExpression(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (isWord || ts.isTemplateHead(node)) {
      if (namesFeature(node.text) && !isMemberOfDocument(path, node.text)) found.push(`${path}: ${node.text}`);
    }
    ts.forEachChild(node, look);
  };
  look(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}

describe('the sources', () => {
  it('import downwards only', () => {
    expect(brokenLayers(sourceFiles('src'))).toEqual([]);
  });

  it('let features stand beside each other, instead of each on the next', () => {
    expect(longestChain(sourceFiles('src')).length).toBeLessThanOrEqual(18);
  });

  it('name no feature where they are about all of them', () => {
    expect(sourceFiles(...WITHOUT_FEATURES.map((folder) => `src/${folder}`)).flatMap(namedFeatures)).toEqual([]);
  });

  it('import no tool: a tool uses the service, which runs without any', () => {
    expect(forbidden('src', ({ to }) => to.startsWith('tools/'))).toEqual([]);
  });

  it('have migrations that import nothing but migrations, because sources change and migrations do not', () => {
    expect(forbidden('migrations', ({ to }) => !to.startsWith('migrations/'))).toEqual([]);
  });

  it('have packages that import nothing outside of themselves', () => {
    const packageOf = (path: string) => path.split('/', 2).join('/');
    expect(forbidden('packages', ({ from, to }) => packageOf(from) !== packageOf(to))).toEqual([]);
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
    const isNameless = (path: string) =>
      dirname(path)
        .split('/')
        .some((folder) => NAMELESS.test(folder));
    expect(paths.filter((path) => basename(path) === 'index.ts' || isNameless(path))).toEqual([]);
  });
});

describe('the check', () => {
  const moves = 'src/model/move.entity.ts';

  it.each([
    ["import { Shipments } from '../shipments/shipments.service.js';", 'src/shipments/shipments.service.ts'],
    ["import type { Shipments } from '../shipments/shipments.service.js';", 'src/shipments/shipments.service.ts'],
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

  it.each([
    ["const name = 'shipmentID';", 'shipmentID'],
    ['const text = `The bulk has ${count} items.`;', 'The bulk has '],
    ['function importRows() {}', 'importRows'],
    ['const SHIPMENTS = 1;', 'SHIPMENTS'],
    ['class WebhookList {}', 'WebhookList'],
    ['const text = `SELECT FROM keys k`;', 'SELECT FROM keys k'],
  ])('names a feature in an identifier or a text: %s', (text, name) => {
    expect(namedFeatures({ path: 'src/http/a.ts', text })).toEqual([`src/http/a.ts: ${name}`]);
  });

  it('passes words that only look like features, and imports', () => {
    const text = "import { a } from '../moves/b.js';\nconst important = 'removed';\n// a shipment\n";
    expect(namedFeatures({ path: 'src/http/a.ts', text })).toEqual([]);
  });

  it('finds the longest chain of folders', () => {
    const files = [
      { path: 'src/app.module.ts', text: "import './imports/a.js';\nimport './moves/b.js';\n" },
      { path: 'src/imports/a.ts', text: "import type { B } from '../moves/b.js';\n" },
      { path: 'src/moves/b.ts', text: "import '../records/records.js';\n" },
    ];
    expect(longestChain(files)).toEqual(['app', 'imports', 'moves', 'records']);
  });

  it('names a folder that has no place yet', () => {
    expect(brokenLayers([{ path: 'src/billing/bill.ts', text: '' }])).toEqual([
      'src/billing/bill.ts is in no layer: give its folder a place in LAYERS',
    ]);
  });

  const circle = ['src/a.ts:3 imports src/b.ts', 'src/b.tsx:1 imports src/a.ts'];

  it.each([
    ["import { b } from './b.js';", circle],
    ["import { b, type B } from './b.js';", circle],
    ["export { b } from './b.js';", circle],
    ["const b = await import('./b.js');", circle],
    ["import { a } from './a.js';", ['src/a.ts:3 imports src/a.ts']],
    ["import type { B } from './b.js';", circle],
    ["import { c } from './c.mjs';", []],
  ])('names a circle of imports: %s', (line, faults) => {
    const files = [
      { path: 'src/a.ts', text: `// two\n// lines\n${line}` },
      { path: 'src/b.tsx', text: "import { a } from './a.js';" },
      { path: 'src/c.mjs', text: '' },
    ];
    expect(circularImports(files)).toEqual(faults);
  });
});
