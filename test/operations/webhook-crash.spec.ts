import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

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
  ['lose-deliveries', 'lost event', '40'],
  ['skip-events', 'lost event', '40'],
  // Few deliveries overtake each other: of 100 writes, a single one did.
  ['break-order', 'after event', '300'],
])(
  'the checks notice %s',
  async (sabotage, fault, writes) => {
    const spoiled = campaign('--writes', writes, '--webhooks', '7', '--rounds', '0', '--sabotage', sabotage);
    await expect(spoiled).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining(fault) as string });
  },
  300_000,
);
