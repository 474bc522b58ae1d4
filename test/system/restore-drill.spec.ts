import { spawnSync } from 'node:child_process';

test('a restored database equals its source, however its tables were numbered', () => {
  const program = ['scripts/typescript.mjs', 'tools/campaigns/restore-drill/main.ts', '--moves', '20'];
  const { status, stdout } = spawnSync(process.execPath, program, { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^Restored and equal: dump \d+ s, restore \d+ s/m)]);
});
