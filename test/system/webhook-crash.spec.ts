import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Event } from '@waybill/client';
import { faultsOf } from '../../tools/campaigns/webhooks/check.js';

/** The campaign of `npm run campaign -- webhooks`, with fewer writes. */
function campaign(...options: string[]): Promise<{ stdout: string }> {
  const program = ['scripts/typescript.mjs', 'tools/campaigns/webhooks/main.ts', ...options];
  return promisify(execFile)(process.execPath, program);
}

test('every event arrives in order while replicas are killed at every step, and PostgreSQL too', async () => {
  const ended = campaign('--writes', '150', '--webhooks', '7', '--rounds', '1');
  // A failure has the report, too.
  const { stdout } = await ended.catch((failure: unknown) => failure as { stdout: string });
  expect(stdout).toContain('4/4 kills');
  expect(stdout).toContain('Every matching event was delivered, per record in order');
}, 300_000);

test.each([
  ['is lost', [1, 3], ['it lost event 2']],
  ['comes after a later one of its record', [2, 1, 3], ['it got event 1 of a after event 2']],
  ['is not for this webhook', [1, 2, 3, 4], ['it got event 4, which its filter does not match']],
  ['is repeated under another id', [1, 2, 3, 2.5], ['it got event 2 with the ids 2 and 2.5']],
  ['is repeated', [1, 2, 3, 1], []],
])('the checks notice when an event %s', (_, received, faults) => {
  const receipts = received.map((id) => ({ id: String(id), sequence: Math.floor(id), recordID: 'a' }));
  const expected = [1, 2, 3].map((sequence) => ({ sequence: String(sequence) }) as Event);
  expect(faultsOf('it', expected, receipts)).toEqual(faults);
});
