import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { resolve } from 'node:path';

function run(...words: string[]) {
  const child = spawn(process.execPath, ['scripts/run.mjs', ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += String(text)));
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, output }));
  return { child, ended };
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s reaches the program, and ends the runner with it',
  async (signal) => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { child, ended } = run('demo', 'board', `http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    const [connection] = (await once(silent, 'connection')) as [Socket];
    const closed = once(
      connection.resume().on('error', () => undefined),
      'close',
    );
    child.kill(signal);
    await Promise.all([ended, closed]);
    expect(connection.destroyed).toBe(true);
    silent.close();
  },
);

test('the exit code of the program is that of the runner', async () => {
  const { code, output } = await run('check:database', 'postgresql://127.0.0.1:1/nowhere').ended;
  expect([code, output]).toEqual([1, expect.stringContaining('127.0.0.1')]);
});

test('a path chooses among the specs of the service', async () => {
  const { output } = await run('test', 'test/moves/moves.spec.ts', '--listTests').ended;
  expect(output.match(/\S+\.spec\.ts/g)).toEqual([resolve('test/moves/moves.spec.ts')]);
});

test('an option without a name reaches the default program', async () => {
  const { code, output } = await run('demo', '--no-such-option').ended;
  expect([code, output]).toEqual([1, expect.stringMatching(/--no-such-option[^]*npm run demo/)]);
});

test('without a name it lists what there is; an unknown name is an error that lists it, too', async () => {
  const list = await run('campaign').ended;
  expect([list.code, list.output]).toEqual([0, expect.stringMatching(/^ {2}crash +kills the service/m)]);
  const unknown = await run('campaign', 'crush').ended;
  expect([unknown.code, unknown.output]).toEqual([1, `There is no campaign "crush".\n\n${list.output}`]);
});
