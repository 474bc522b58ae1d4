import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { COMMANDS, GROUPS } from '../../scripts/commands.mjs';
import { VARIABLES } from '../../src/config/environment.js';
import { PROBLEM_TYPES } from '../../src/api-texts/problem-types.js';
import { STATUS_STEPS } from '../../src/model/shipment-status.js';
import { BLOCKS, DOCUMENTS } from '../support/repository/documents.js';
import { useService } from '../support/service/service.js';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as { paths: Record<string, object> };
/** With every metric. */
const service = useService({ AUTH_MODE: 'keys' });

type Found = readonly (readonly [where: string, name: string])[];

/** All that matches in the documents, with the document it is in. */
function find(pattern: RegExp, documents: Record<string, string> = DOCUMENTS): Found {
  return Object.entries(documents).flatMap(([where, text]) =>
    [...text.matchAll(pattern)].map(([whole, name]) => [where, name ?? whole] as const),
  );
}

/** The names that do not exist. A pattern that finds no names at all is wrong. */
function missing(found: Found, exists: (name: string, where: string) => boolean): Found {
  expect(found).not.toEqual([]);
  return found.filter(([where, name]) => !exists(name, where));
}

const SCRIPT = /\bnpm (?:run )?((?<=run )[\w:-]+|start\b|test\b)/g;
/** A group of commands and the one that is chosen: `npm run campaign -- crash`. */
const CHOICE = /\bnpm run ((?:campaign|bench|demo) -- [a-z][\w-]*)/g;
const FILE =
  /(?<![\w./$-])((?:src|tools|test|scripts|bench|deploy|docs|client|console|migrations|examples|api|\.ci)\/[\w./-]*\w)/g;
const JEST_FILE = /\bnpx jest ((?:test|src)\/\S+\.ts)/g;
const LINK = /\]\((?!https?:)([^)]+)\)/g;
const METRIC = /\b(?:waybill_(?!service\b)|nodejs_|process_)[a-z0-9_]+/g;
/** Constants in code spans: `POOL_SIZE`, `POOL_SIZE=10`. */
const CONSTANT = /`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g;
const PATH = /(\/(?:prime\/)?v1\/[\w/:{}.-]*)/g;

/** Constants that are neither configuration nor told to clients. Those of OpenTelemetry are read by its packages. */
const OTHER_CONSTANTS = [
  'CURRENT_TIMESTAMP',
  'KEY_ENDED',
  'CONSOLE_SCREENSHOTS',
  'DOCKER_HOST',
  'HTTPS_HOST',
  'HTTPS_PORT',
  'OWNER_PASSWORD',
  'POSTGRES_PASSWORD',
];
OTHER_CONSTANTS.push(
  'APP_FILTER',
  'APP_GUARD',
  'SERVICE_PASSWORD',
  'OTEL_TRACES_SAMPLER',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_SERVICE_NAME',
  'TEST_SEED',
  'TOO_BROAD',
  'SHORT_POSTAL_CODE',
);

function isLinkGood(target: string, where: string): boolean {
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? where : join(dirname(where), file);
  if (!existsSync(path)) return false;
  if (anchor === undefined) return true;
  const headings = readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm);
  const anchors = [...headings].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  return anchors.includes(anchor);
}

/** Whether the API has such a path; `:id`, `{id}` and a real id stand for any of its parameters. */
function isPathOfApi(path: string): boolean {
  const shape = (text: string) =>
    text.replace(/[/.]+$/, '').replaceAll(/\/([:{][^/]+|[0-9a-f]{8}-[0-9a-f-]{27})/g, '/*');
  return [...Object.keys(paths), '/v1'].some((known) => shape(known) === shape(path));
}

function isChoice(words: string): boolean {
  const [group = '', name = ''] = words.split(' -- ');
  return name in (Object.entries(GROUPS).find(([each]) => each === group)?.[1] ?? {});
}

describe('the documents', () => {
  it('name only scripts that package.json has', () => {
    expect(missing(find(SCRIPT), (name) => name in scripts)).toEqual([]);
  });

  it('name only campaigns, benchmarks and demos that exist', () => {
    expect(missing(find(CHOICE), isChoice)).toEqual([]);
  });

  it('name every campaign', () => {
    const named = new Set(find(CHOICE).map(([, name]) => name));
    expect(Object.keys(GROUPS.campaign).filter((name) => !named.has(`campaign -- ${name}`))).toEqual([]);
  });

  it('name only files that exist', () => {
    expect(missing(find(FILE), (name, where) => existsSync(name) || existsSync(join(dirname(where), name)))).toEqual(
      [],
    );
    expect(missing(find(JEST_FILE), (name) => existsSync(name))).toEqual([]);
  });

  it('link only to files and headings that exist', () => {
    expect(missing(find(LINK), isLinkGood)).toEqual([]);
  });

  it('name only variables, problems and statuses that the service knows', () => {
    const known = [
      ...VARIABLES,
      ...PROBLEM_TYPES.map(({ code }) => code),
      ...Object.keys(STATUS_STEPS),
      ...OTHER_CONSTANTS,
    ];
    expect(missing(find(CONSTANT), (name) => known.includes(name))).toEqual([]);
  });

  it('name only paths that the API has', () => {
    expect(missing(find(PATH), isPathOfApi)).toEqual([]);
  });

  it('name only metrics that /metrics shows', async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    const deployed = ['deploy/helm/waybill/alerts.yaml', 'deploy/grafana-dashboard.json'].map((path) => [
      path,
      readFileSync(path, 'utf8'),
    ]);
    const all = find(METRIC, { ...DOCUMENTS, ...Object.fromEntries(deployed) });
    const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
    const names = types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_count', '_sum'].map((suffix) => name + suffix) : [name],
    );
    const known = new Set(names);
    expect(missing(all, (name) => known.has(name))).toEqual([]);
  });

  it('have shell blocks that a shell can read', () => {
    const blocks = BLOCKS.filter(({ language }) => language === 'sh');
    expect(blocks.length).toBeGreaterThan(8);
    const faults = blocks.map(({ document, text }) => [
      document,
      spawnSync('sh', ['-n'], { input: text }).stderr.toString(),
    ]);
    expect(faults.filter(([, fault]) => fault !== '')).toEqual([]);
  });

  it('have JSON blocks that are JSON, and no blocks of a language that no spec looks at', () => {
    for (const { text } of BLOCKS.filter(({ language }) => language === 'json'))
      expect(() => JSON.parse(text)).not.toThrow();
    const languages = new Set(BLOCKS.map(({ language }) => language));
    expect([...languages].sort()).toEqual(['', 'js', 'json', 'mermaid', 'sh', 'sql']);
    const programs = BLOCKS.filter(({ language }) => language === 'js').map(({ document }) => document);
    expect([...new Set(programs)]).toEqual(['README.md', 'client/README.md']);
  });

  it('draw every folder of src', () => {
    const [layers] = BLOCKS.filter(({ language }) => language === 'mermaid');
    const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => layers?.text.includes(name) !== true)).toEqual([]);
  });

  it.each([
    ['bench -- servers', 'bench/main.mjs'],
    ['bench -- compare', 'bench/compare/main.mjs'],
    ['seed --', 'dist/tools/seed/main.js'],
  ])('give npm run %s only options that its help explains', async (script, program) => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, '--help']);
    const used = find(new RegExp(`npm run ${script} ([^\\n\`#)]+)`, 'g'));
    const options = used.flatMap(([where, text]) =>
      (text.match(/--[a-z-]+/g) ?? []).map((name) => [where, name] as const),
    );
    expect(missing(options, (name) => stdout.includes(name) || name === '--help')).toEqual([]);
  });
});

describe('package.json', () => {
  it('prepares no script by another one, and has at most 26', () => {
    expect(Object.keys(scripts).filter((name) => name.startsWith('pre') || name.startsWith('post'))).toEqual([]);
    expect(Object.keys(scripts).length).toBeLessThanOrEqual(26);
  });

  it('has a script for every command, and a command for every script that the runner runs', () => {
    const run = Object.values(scripts).flatMap((script) => /run\.mjs ([\w:-]+)$/.exec(script)?.[1] ?? []);
    expect(run.sort()).toEqual([...Object.keys(COMMANDS), ...Object.keys(GROUPS)].sort());
  });
});
