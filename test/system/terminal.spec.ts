import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Checkout, freshCheckout } from '../support/repository/checkout.js';
import { eventually } from '../support/races/eventually.js';
import { freePort } from '../support/http/free-port.js';
import { describeWith } from '../support/repository/tools.js';

const START_WITHIN_MS = 400_000;
/** Missing in the clone, so that the command has to build it. */
const UNBUILT = 'dist';

/** `script` runs a command on a terminal of its own and passes on what appears on it and what is typed. */
describeWith(['script'], 'npm start in a fresh clone', () => {
  let checkout: Checkout;
  let port: number;
  let output: string;

  beforeAll(async () => {
    checkout = await freshCheckout({ unbuilt: UNBUILT });
  });
  beforeEach(async () => {
    port = await freePort();
    output = '';
  });
  afterAll(() => checkout.remove());

  function start(program: string, ...words: string[]): ChildProcess {
    const { PATH, HOME } = process.env;
    const child = spawn(program, words, { cwd: checkout.folder, env: { PATH, HOME, PORT: String(port) } });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    return child;
  }

  async function until(text: string): Promise<void> {
    await eventually(() => output.includes(text), START_WITHIN_MS, `the output ${text}`).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${output}`);
    });
  }

  it('on a terminal counts the seconds, prints its URL, logs in plain text and ends with Ctrl-C', async () => {
    const terminal = start('script', '--quiet', '--return', '--command', 'npm start', '/dev/null');
    await until('Ctrl-C');
    expect(output).toContain(`\rBuilding ${UNBUILT} 1 s`);
    expect(output).toContain(`http://localhost:${port}/docs`);
    expect(output).toContain(`${checkout.folder}/.data`);
    expect(output).toMatch(/Examples +load them in the console/);
    await fetch(`http://localhost:${port}/v1/moves`);
    await until('GET /v1/moves 200');
    expect(output).not.toContain('{"level"');
    const ended = once(terminal, 'close');
    terminal.stdin?.write('\u0003');
    await ended;
    expect(output).toContain('Stopped');
  });

  it('elsewhere writes a log in JSON, and ends when npm is told to', async () => {
    const npm = start('npm', 'start');
    await until('Listening on');
    expect(output).not.toContain('\r');
    const log = output.split('\n').filter((line) => line.includes('"msg"'));
    expect(log.map((line) => (JSON.parse(line) as { msg: string }).msg)).toContain(
      `Listening on http://127.0.0.1:${port}`,
    );
    const ended = once(npm, 'close');
    npm.kill('SIGTERM');
    await ended;
  });
});
