import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The campaign of `npm run campaign -- mirror`, with fewer writes. */
function campaign(...options: string[]): Promise<{ stdout: string }> {
  const program = ['scripts/typescript.mjs', 'tools/campaigns/mirror/main.ts', ...options];
  return promisify(execFile)(process.execPath, program);
}

test('mirrors equal the database after random writes while both replicas are restarted and killed', async () => {
  const { stdout } = await campaign('--writes', '100', '--restarts', '2');
  expect(stdout).toContain('4/4 restarts');
  expect(stdout).toContain('The mirrors equal the database, and no event was missed or came twice.');
});
