import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { type Checkout, freshCheckout } from '../support/repository/checkout.js';
import { BLOCKS } from '../support/repository/documents.js';
import { shareOf } from '../support/repository/sweeps.js';
import { useService } from '../support/service/service.js';

/** A compiler reads all that browsers have, on a machine that may have other things to do. */
const TYPE_CHECK_MS = 240_000;

const run = promisify(execFile);
const service = useService({ POOL_SIZE: '3' });

/** Environment variables of `npm test` would lead another npm back into this project. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));

/** The client is compiled twice, on a machine that may have other things to do. */
const BUILD_MS = 240_000;

/** A project of somebody who has nothing but the client that `npm pack` makes in a fresh clone. */
let checkout: Checkout;
let project: string;
let packed: { filename: string; files: { path: string }[] };

beforeAll(async () => {
  checkout = await freshCheckout({ unbuilt: 'client/dist' });
  project = await mkdtemp(join(tmpdir(), 'waybill-client-'));
  const packing = ['pack', '--json', '--workspace', 'client', '--pack-destination', project];
  [packed] = JSON.parse((await run('npm', packing, { cwd: checkout.folder, env })).stdout);
  await writeFile(join(project, 'package.json'), '{"type": "module", "private": true}');
  const installing = ['install', '--offline', '--no-audit', '--no-fund', join(project, packed.filename)];
  await run('npm', installing, { cwd: project, env });
}, BUILD_MS);
afterAll(() => Promise.all([checkout.remove(), rm(project, { recursive: true })]));

/** Runs the examples of a README in the project, each as a program, and tells what they say. */
async function runExamples(document: string): Promise<string[]> {
  const examples = BLOCKS.filter((block) => block.document === document && block.language === 'js');
  expect(examples).not.toEqual([]);
  const said = [];
  for (const { text } of examples) {
    await writeFile(join(project, 'example.js'), text.replace('http://localhost:3000', service.url));
    const { stdout } = await run(process.execPath, ['example.js'], { cwd: project });
    said.push(...stdout.split('\n').slice(0, -1));
  }
  return said;
}

test('the package has the built client, its types and its README, and nothing else', () => {
  const names = packed.files.map(({ path }) => path).sort();
  const others = names.filter((name) => !/^dist\/(cjs\/)?[a-z-]+\.(js|d\.ts)$/.test(name));
  expect(others).toEqual(['README.md', 'dist/cjs/package.json', 'package.json']);
  expect(names).toEqual(expect.arrayContaining(['dist/waybill.js', 'dist/waybill.d.ts', 'dist/api.d.ts']));
});

test('the package says what it is, and every file that it names exists', async () => {
  const folder = join(project, 'node_modules/@waybill/client');
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const said = ['description', 'keywords', 'license', 'engines', 'sideEffects', 'main', 'module', 'types', 'exports'];
  expect(Object.keys(manifest)).toEqual(expect.arrayContaining(said));
  const { import: imported, require: required } = manifest.exports['.'];
  expect(manifest).toMatchObject({ main: required.default, types: required.types, module: imported.default });
  const names = packed.files.map(({ path }) => `./${path}`);
  expect(names).toEqual(expect.arrayContaining([...Object.values(imported), ...Object.values(required)]));
});

test('the package needs no other package, and nothing that only Node has', async () => {
  const { dependencies, peerDependencies } = JSON.parse(await readFile('client/package.json', 'utf8'));
  expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
  for (const { path } of packed.files.filter(({ path: name }) => name.endsWith('.js'))) {
    const text = await readFile(join(project, 'node_modules/@waybill/client', path), 'utf8');
    expect(text.match(/(from |require\()['"](?!\.\/)|\bprocess\.|\bBuffer\b/g)).toBeNull();
  }
});

test('the examples of its README run as they stand there', async () => {
  expect(await runExamples('client/README.md')).toEqual([
    'anonymous changed actualWeight from null to 4000',
    'true Two flights of stairs. Ring twice. Ring twice. Ring twice. ',
    'APPROVED or REJECTED or CANCELED',
    // So many bytes has the file of the export.
    expect.stringMatching(/^\d+$/),
    'shipment.created',
    'SUBMITTED is now APPROVED',
    '1 of 1',
  ]);
});

test('so does the one in the README of the service', async () => {
  expect(await runExamples('README.md')).toEqual([]);
  const { body } = await service.api.get('/v1/shipments?limit=1');
  expect(body).toMatchObject([{ customerRemarks: 'Ring twice. ' }]);
});

test(
  'its types refuse what must not compile and pass the rest, with the libraries of browsers alone',
  async () => {
    const cases = await readFile('test/client/type-errors.ts', 'utf8');
    await writeFile(join(project, 'cases.ts'), cases.replace('../../client/src/waybill.js', '@waybill/client'));
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom'];
    const tsc = resolve('node_modules/typescript-native/bin/tsc');
    const checking = run(process.execPath, [tsc, '--noEmit', ...options, 'cases.ts'], { cwd: project });
    expect(await checking.catch((error: unknown) => error)).toMatchObject({ stdout: '' });
  },
  TYPE_CHECK_MS,
);

test('CommonJS requires it, without the help of newer Node versions, and both builds know the errors of each other', async () => {
  const program = `
    const required = require('@waybill/client');
    import('@waybill/client').then(async (imported) => {
      const calls = [required, imported].map(({ WaybillClient }) => new WaybillClient({ baseUrl: '${service.url}' }));
      for (const client of calls) await client.shipments.get('unknown').catch((error) => {
        console.log(required.isProblem(error, 'NOT_FOUND'), imported.isProblem(error, 'NOT_FOUND'));
      });
      console.log(required.WaybillClient === imported.WaybillClient);
    });`;
  await writeFile(join(project, 'program.cjs'), program);
  const { stdout } = await run(process.execPath, ['--no-experimental-require-module', 'program.cjs'], { cwd: project });
  expect(stdout).toBe('true true\ntrue true\nfalse\n');
});

/** What TypeScript objects to in the project and in the client's types; those of Node are not ours, and take most of the time. */
function faultsIn(program: ts.Program): unknown[] {
  const ours = program.getSourceFiles().filter(({ fileName }) => !fileName.includes('/node_modules/@types/'));
  return [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...ours.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ].map(({ messageText }) => messageText);
}

/** The names of the document that are of no use to a caller, or have a type of their own as problems. */
const NOT_EXPORTED = /Problem$|^(EventStream|Health|OpenApi|ProblemDescriptions?|Welcome)$/;

describe('a project finds the types, every named one among them, when it resolves modules', () => {
  const browsers = { lib: ['es2022', 'dom'], types: [] };
  const node = { lib: ['es2022'], types: ['node'], typeRoots: [resolve('node_modules/@types')] };
  /** What TypeScript 6 calls node10 is how all of its versions before 4.7 did it. */
  const old = { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' };
  const node16 = { module: 'node16', moduleResolution: 'node16' };
  const bundler = { module: 'esnext', moduleResolution: 'bundler' };

  const ways: [string, string, object][] = [
    ['as old versions do', 'old.ts', { ...old, ...browsers }],
    ['as old versions do, in Node', 'old-node.ts', { ...old, ...node }],
    ['as Node does, from CommonJS', 'common.cts', { ...node16, ...node }],
    ['as Node does, from an ES module', 'module.mts', { ...node16, ...node }],
    ['as bundlers do', 'bundled.ts', { ...bundler, ...browsers }],
  ];

  it.each(shareOf(ways, 0, 2))(
    '%s',
    async (_, file, options) => {
      const { components } = JSON.parse(await readFile('openapi.json', 'utf8'));
      const names = Object.keys(components.schemas).filter((name) => !NOT_EXPORTED.test(name));
      expect(names).toContain('Shipment');
      const text = `
        import { WaybillClient } from '@waybill/client';
        import type { ${names.join(', ')}, ShipmentStatus, AgentType, HistoryEntryType } from '@waybill/client';
        export type All = [${names.join(', ')}, AgentType, HistoryEntryType];
        export const status: ShipmentStatus = 'APPROVED';
        // @ts-expect-error it is not any
        export const wrong: ShipmentStatus = 'LOST';
        const client = new WaybillClient({ baseUrl: 'https://waybill.example', token: 'x', fetch });
        export const updated: Promise<Shipment> = client.shipments.update('id', { actualWeight: 1 });`;
      const path = join(project, file);
      await writeFile(path, text);
      const json = { strict: true, noEmit: true, skipDefaultLibCheck: true, target: 'es2022', ...options };
      const program = ts.createProgram([path], ts.convertCompilerOptionsFromJson(json, project).options);
      expect(faultsIn(program)).toEqual([]);
      const found = program.getSourceFiles().filter(({ fileName }) => fileName.includes('@waybill/client/dist/cjs/'));
      expect(found.length > 0).toBe(/^(old|common)/.test(file));
    },
    TYPE_CHECK_MS,
  );
});
