import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

test('the demonstration shows that update loses nothing, and that the other ways do', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['examples/race.mjs']);
  const [update = '', givenUp = '', lastWrite = ''] = stdout.split('\n\n').slice(1);
  expect(update).toMatch(/128 of 128 stored/);
  expect(givenUp).toMatch(/are lost: \d+ were refused with 412\.$/);
  expect(lastWrite).toMatch(/are lost: \d+ were accepted and then overwritten/);
});
