import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

test('the board shows each change, and how many shipments have which status in the end', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['examples/board.mjs', '--changes', '6']);
  const lines = stdout.trimEnd().split('\n');
  const changes = lines.filter((line) => line.includes(' by anonymous: '));
  expect(changes).toHaveLength(6);
  expect(changes[0]).toMatch(/ created by anonymous: (SUBMITTED|APPROVED)$/);
  expect(lines.find((line) => line.endsWith(' shipments'))).toMatch(/^[1-6] shipments$/);
});
