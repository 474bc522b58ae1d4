import fc from 'fast-check';
import { run } from '../../../tools/campaigns/fuzz/campaign.js';
import { property } from '../../../tools/campaigns/fuzz/property.js';
import type { Target } from '../../../tools/campaigns/fuzz/target.js';
import { shown } from '../../../tools/campaigns/fuzz/wire.js';

const target = {} as Target;
const seen: string[] = [];

/** Does not hold for a text with an x in it. */
const noX = property(
  'no-x',
  100,
  () => fc.string(),
  (text) => {
    seen.push(text);
    return text.includes('x') ? Promise.reject(new Error(`x in ${JSON.stringify(text)}`)) : Promise.resolve();
  },
);

test('a failure is shrunk and shows the command to reproduce it', async () => {
  const failure = await run(noX, target, { seed: 1, numRuns: 10_000 }).then(() => 'it holds', String);
  const [, path = ''] = /npm run campaign -- fuzz --seed 1 --path "no-x\/([\d:]+)"$/.exec(failure) ?? [];
  expect(failure).toContain('x in "x"');
  seen.length = 0;
  await expect(run(noX, target, { seed: 1, path, endOnFailure: true })).rejects.toThrow('x in "x"');
  expect(seen).toEqual(['x']);
});

test('a request is shown so that nothing in it hides', () => {
  const sent = { method: 'PATCH', path: '/v1/moves/1?expand=shipments', headers: { 'If-Match': '*' } };
  expect(shown({ ...sent, body: '{"remarks":"a\u200b🚚"}' })).toBe(
    'PATCH /v1/moves/1?expand=shipments\nIf-Match: *\n\n{"remarks":"a\\u200b\\ud83d\\ude9a"}',
  );
  expect(shown({ ...sent, body: Buffer.from([0, 255]) })).toMatch(/\(base64\) AP8=$/);
});
