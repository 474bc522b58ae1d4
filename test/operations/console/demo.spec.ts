import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

test('npm run demo starts everything, says where to look and what to try, and takes it away again', async () => {
  const options = ['--port', '0', '--moves', '40', '--seconds', '6'];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['examples/demo.mjs', ...options]);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/The console is at {2}http:\/\/127\.0\.0\.1:\d+\/console\n/);
  expect(stdout).toMatch(/\/console\/shipments\/[0-9a-f-]{36}\/edit\n/);
});
