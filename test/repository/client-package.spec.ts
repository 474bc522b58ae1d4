import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { type Checkout, freshCheckout } from '../support/repository/checkout.js';
import { BLOCKS } from '../support/repository/documents.js';
import { useService } from '../support/service/service.js';

const run = promisify(execFile);
const service = useService({ POOL_SIZE: '3' });

/** Environment variables of `npm test` would lead another npm back into this project. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));

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
});
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

/** Compiles files of the project, and tells which files of the client the compiler read. */
async function compile(files: readonly string[], text: string, ...options: string[]): Promise<string[]> {
  for (const name of files) await writeFile(join(project, name), text);
  const compiler = [resolve('node_modules/typescript-native/bin/tsc'), '--noEmit', '--listFiles', '--strict'];
  const args = [...compiler, '--skipDefaultLibCheck', '--target', 'es2022', ...options, ...files];
  const compiled = run(process.execPath, args, { cwd: project });
  const { stdout } = await compiled.catch((error: unknown) => error as { stdout: string });
  expect(stdout.split('\n').filter((line) => line.includes('error TS'))).toEqual([]);
  return [...stdout.matchAll(/@waybill\/client\/(\S+)$/gm)].map(([, path = '']) => path);
}

test('its types refuse what must not compile and pass the rest, with the libraries of browsers alone', async () => {
  const cases = await readFile('test/client/type-errors.ts', 'utf8');
  const text = cases.replace('../../client/src/waybill.js', '@waybill/client');
  const read = await compile(['cases.ts'], text, '--module', 'nodenext', '--lib', 'es2022,dom');
  expect(read).toContain('dist/waybill.d.ts');
});

test('its types are those of openapi.json; `npm run openapi` renews them', async () => {
  const args = ['openapi.json', '--output', 'client/src/api.ts', '--check'];
  await expect(run('node_modules/.bin/openapi-typescript', args)).resolves.toBeDefined();
});

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

/** The names of the document that are of no use to a caller, or have a type of their own as problems. */
const NOT_EXPORTED = /Problem$|^(EventStream|Health|OpenApi|ProblemDescriptions?|Welcome)$/;

describe('a project finds the types, every named one among them, when it resolves modules', () => {
  const [required, imported] = ['dist/cjs/waybill.d.ts', 'dist/waybill.d.ts'];
  const { components } = JSON.parse(readFileSync('openapi.json', 'utf8'));
  const names = Object.keys(components.schemas).filter((name) => !NOT_EXPORTED.test(name));
  const text = `
    import { WaybillClient } from '@waybill/client';
    import type { ${names.join(', ')}, ShipmentStatus, AgentType, HistoryEntryType } from '@waybill/client';
    export type All = [${names.join(', ')}, AgentType, HistoryEntryType];
    export const status: ShipmentStatus = 'APPROVED';
    // @ts-expect-error it is not any
    export const wrong: ShipmentStatus = 'LOST';
    const client = new WaybillClient({ baseUrl: 'https://waybill.example', token: 'x', fetch });
    export const updated: Promise<Shipment> = client.shipments.update('id', { actualWeight: 1 });`;

  it('as Node does, from CommonJS and from an ES module', async () => {
    const node = ['--lib', 'es2022', '--types', 'node', '--typeRoots', resolve('node_modules/@types')];
    const read = await compile(['common.cts', 'module.mts'], text, '--module', 'node16', ...node);
    expect(read).toEqual(expect.arrayContaining([required, imported]));
  });

  it('as bundlers do', async () => {
    const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom'];
    expect(await compile(['bundled.ts'], text, ...bundler)).toContain(imported);
  });

  // These are the types that a CommonJS module gets.
  it('as versions of TypeScript before 4.7 do', () => {
    const options = ts.convertCompilerOptionsFromJson({ moduleResolution: 'node10' }, project).options;
    const { resolvedModule } = ts.resolveModuleName('@waybill/client', join(project, 'old.ts'), options, ts.sys);
    expect(resolvedModule?.resolvedFileName).toMatch(new RegExp(`${required}$`));
  });
});
