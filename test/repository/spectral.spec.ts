import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../support/http/api.js';

let folder: string;
let broken: string;
let found: { source: string; code: string; path: string[] }[];

/** One run for the document and a broken one. */
beforeAll(async () => {
  folder = await mkdtemp('.prepare-spectral-');
  broken = join(folder, 'broken.json');
  await writeFile(broken, JSON.stringify(brokenDocument()));
  const options = ['--ruleset', '.spectral.yaml', '--format', 'json', '--quiet', '--fail-severity', 'hint'];
  const output = await new Promise<string>((resolve) => {
    const args = ['lint', 'openapi.json', broken, ...options];
    execFile('node_modules/.bin/spectral', args, { maxBuffer: 1e8 }, (_, stdout) => resolve(stdout));
  });
  found = JSON.parse(output.slice(output.indexOf('[')));
});
afterAll(() => rm(folder, { recursive: true }));

test('nothing is found in the document, not even a hint', () => {
  const others = found.filter(({ source }) => !source.endsWith(broken));
  expect(others.map(({ code, path }) => `${code} at ${path.join(' ')}`)).toEqual([]);
});

/** Each breaks one convention; the rule that must notice it. */
const BREACHES: [rule: string, breach: (document: Json) => void][] = [
  ['paths-use-plural-nouns', ({ paths }) => (paths['/v1/shipment'] = paths['/v1/shipments'])],
  ['paths-use-plural-nouns', ({ paths }) => (paths['/v1/mto-shipment/{shipmentID}'] = paths['/v1/shipments'])],
  ['paths-use-plural-nouns', ({ paths }) => (paths['/v1/shipments/{shipmentID}/updateStatus'] = paths['/v1/moves'])],
  ['paths-stay-shallow', ({ paths }) => (paths['/v1/moves/{moveID}/shipments/{shipmentID}'] = paths['/v1/moves'])],
  ['path-parameters-end-in-ID', ({ components }) => Object.assign(components.parameters.agentID, { name: 'agent' })],
  [
    'query-parameters-are-camel-case',
    ({ paths }) => paths['/v1/moves'].get.parameters.push({ name: 'order_id', in: 'query', schema: {} }),
  ],
  ['fields-are-camel-case', ({ components }) => (components.schemas.Move.properties.Move_Code = { type: 'string' })],
  [
    'identifiers-end-in-ID',
    ({ components }) => (components.schemas.Agent.properties.shipment = { type: 'string', format: 'uuid' }),
  ],
  [
    'timestamps-end-in-At',
    ({ components }) => (components.schemas.Move.properties.updated = { type: 'string', format: 'date-time' }),
  ],
  [
    'dates-end-in-Date',
    ({ components }) => (components.schemas.Shipment.properties.pickup = { type: 'string', format: 'date' }),
  ],
  [
    'changes-carry-if-match',
    ({ paths }) => {
      const { put } = paths['/v1/agents/{agentID}'];
      put.parameters = put.parameters.filter(({ $ref }: Json) => $ref !== '#/components/parameters/IfMatch');
    },
  ],
  ['changes-can-fail-their-precondition', ({ paths }) => delete paths['/v1/moves/{moveID}'].patch.responses['428']],
  ['changes-can-fail-their-precondition', ({ paths }) => delete paths['/v1/moves/{moveID}'].put.responses['412']],
  [
    'creations-answer-201-with-location',
    ({ paths }) => delete paths['/v1/moves'].post.responses['201'].headers.Location,
  ],
  [
    'errors-are-problems',
    ({ paths }) => (paths['/v1/moves'].get.responses['500'] = { description: 'x', content: { 'text/plain': {} } }),
  ],
  ['operations-state-their-stability', ({ paths }) => delete paths['/v1/moves'].get['x-stability']],
  ['operations-state-their-stability', ({ paths }) => (paths['/v1/moves'].post['x-stability'] = 'stable')],
];

/**
 * The document with all breaches. It has only the paths that they need, because Spectral resolves each reference of each path, and no
 * examples, because it compiles a schema for each.
 */
function brokenDocument(): Json {
  const text = readFileSync('openapi.json', 'utf8');
  const document = JSON.parse(text, (name, value: unknown) => (/^examples?$/.test(name) ? undefined : value));
  const needed = ['/v1/moves', '/v1/moves/{moveID}', '/v1/shipments', '/v1/agents/{agentID}'];
  document.paths = Object.fromEntries(needed.map((path) => [path, document.paths[path]]));
  for (const [, breach] of BREACHES) breach(document);
  return document;
}

test.each([...new Set(BREACHES.map(([rule]) => rule))])('a breach of %s is found', (rule) => {
  const wanted = BREACHES.filter(([other]) => other === rule).length;
  const findings = found.filter(({ source, code }) => source.endsWith(broken) && code === rule);
  expect(findings.length).toBeGreaterThanOrEqual(wanted);
});
