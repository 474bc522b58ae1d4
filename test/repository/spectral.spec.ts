import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../support/http/api.js';

/** What Spectral finds, as "rule at path". */
async function findings(file: string): Promise<string[]> {
  const output = await new Promise<string>((resolve) => {
    const args = [
      'lint',
      file,
      '--ruleset',
      '.spectral.yaml',
      '--format',
      'json',
      '--quiet',
      '--fail-severity',
      'hint',
    ];
    execFile('node_modules/.bin/spectral', args, { maxBuffer: 1e8 }, (_, stdout) => resolve(stdout));
  });
  const found = JSON.parse(output.slice(output.indexOf('['))) as { code: string; path: string[] }[];
  return found.map(({ code, path }) => `${code} at ${path.join(' ')}`);
}

test('nothing is found in the document, not even a hint', async () => {
  expect(await findings('openapi.json')).toEqual([]);
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
];

test('every convention is noticed when it is broken', async () => {
  const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
  for (const [, breach] of BREACHES) breach(document);
  const folder = await mkdtemp('.prepare-spectral-');
  try {
    const file = join(folder, 'broken.json');
    await writeFile(file, JSON.stringify(document));
    const rules = (await findings(file)).map((finding) => finding.split(' at ')[0]);
    for (const [rule] of BREACHES) {
      const wanted = BREACHES.filter(([other]) => other === rule).length;
      expect([rule, rules.filter((found) => found === rule).length >= wanted]).toEqual([rule, true]);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
