import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { GROUPS } from '../../scripts/commands.mjs';

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
    const { child, ended } = run('demo', 'race', `http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
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

test('a demonstration records nothing', async () => {
  const { code, output } = await run('demo', '--record', '--no-such-option').ended;
  expect([code, output]).toEqual([1, expect.stringMatching(/Unknown option '--record'/)]);
});

test('without a name it lists what there is; an unknown name is an error that lists it, too', async () => {
  const list = await run('campaign').ended;
  expect([list.code, list.output]).toEqual([0, expect.stringMatching(/^ {2}crash +kills the service/m)]);
  const unknown = await run('campaign', 'crush').ended;
  expect([unknown.code, unknown.output]).toEqual([1, `There is no campaign "crush".\n\n${list.output}`]);
});

const NEEDY = Object.entries(GROUPS.bench).flatMap(([name, { needs }]) =>
  needs === undefined ? [] : [[name, needs.tool]],
);

test.each(NEEDY)('the benchmark %s says that %s is missing before it installs packages', async (name, tool) => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-runner-'));
  for (const file of ['scripts', 'bench', 'examples', 'tools/campaigns', 'package.json', 'package-lock.json']) {
    await cp(file, join(folder, file), { recursive: true });
  }
  await symlink('/bin/sh', join(folder, 'sh'));
  const before = await readdir(folder);
  const child = spawn(process.execPath, ['scripts/run.mjs', 'bench', name], {
    cwd: folder,
    env: { PATH: folder },
  });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += String(text)));
  const [code] = await once(child, 'close');
  expect([code, said]).toEqual([1, expect.stringMatching(new RegExp(`^${tool} is not installed: .+\\n$`))]);
  expect(await readdir(folder)).toEqual(before);
  await rm(folder, { recursive: true });
});

test('benchmarks of the load generator and of the browser need them', () => {
  expect(Object.fromEntries(NEEDY)).toEqual({
    servers: 'wrk',
    console: 'chromium-headless-shell',
    today: 'chromium-headless-shell',
    views: 'chromium-headless-shell',
  });
});
