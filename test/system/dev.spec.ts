import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'undici';
import { type Checkout, freshCheckout } from '../support/repository/checkout.js';
import { eventually } from '../support/races/eventually.js';
import { isRunning } from '../support/service/is-running.js';
import { freePort } from '../support/http/free-port.js';

const SOURCE = 'src/operations/health.controller.ts';
const START_WITHIN_MS = 400_000;
const RESTART_WITHIN_MS = 150_000;

describe('npm run dev on a fresh clone', () => {
  let checkout: Checkout;
  let source: string;
  let port: number;
  let dev: ChildProcess;
  const lines: string[] = [];

  beforeAll(async () => {
    checkout = await freshCheckout();
    source = await readFile(join(checkout.folder, SOURCE), 'utf8');
    port = await freePort();
    const { PATH, HOME } = process.env;
    // A process group of its own, so that it can be stopped as a terminal does it: Ctrl-C signals the whole group.
    const options = { cwd: checkout.folder, env: { PATH, HOME, PORT: String(port) }, detached: true };
    dev = spawn('npm', ['run', 'dev'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const output of [dev.stdout, dev.stderr]) {
      if (output) createInterface(output).on('line', (line) => lines.push(line));
    }
    await untilAnswer('ok', START_WITHIN_MS);
  });

  afterAll(async () => {
    if (dev.exitCode === null && dev.signalCode === null) process.kill(-(dev.pid ?? 0), 'SIGKILL');
    await checkout.remove();
  });

  async function answer(): Promise<unknown> {
    const response = await fetch(`http://localhost:${port}/health/live`).catch(() => undefined);
    return ((await response?.json()) as { status: string } | undefined)?.status;
  }

  async function untilAnswer(status: string, withinMs = RESTART_WITHIN_MS): Promise<void> {
    const condition = async () => (await answer()) === status;
    await eventually(condition, withinMs, `the answer ${status}`).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${lines.slice(-40).join('\n')}`);
    });
  }

  function sourceThatSays(status: string): string {
    return source.replace("{ status: 'ok' }", `{ status: '${status}' }`);
  }

  async function save(content: string): Promise<void> {
    await writeFile(join(checkout.folder, SOURCE), content);
  }

  /** As editors do that must not lose the file when they crash. */
  async function saveByRename(content: string): Promise<void> {
    const draft = join(checkout.folder, `${SOURCE}~`);
    await writeFile(draft, content);
    await rename(draft, join(checkout.folder, SOURCE));
  }

  function consoleUrl(): string {
    const line = lines.find((each) => each.startsWith('The console, which follows')) ?? '';
    return line.replace(/^.*: /, '');
  }

  it('serves the console from its sources, with the settings of the service, and the rest of the service', async () => {
    const page = await fetch(consoleUrl(), { headers: { Accept: 'text/html' } });
    expect(await page.text()).toMatch(/content="[^"]*statusSteps[^]*src\/main\.ts/);
    expect((await fetch(new URL('/v1/moves', consoleUrl()))).status).toBe(200);
  });

  it('replaces a style in the open page when it is saved', async () => {
    const path = join(checkout.folder, 'console/src/styles.css');
    const updates: string[] = [];
    const page = new WebSocket(consoleUrl().replace('http', 'ws'), 'vite-hmr');
    page.addEventListener('message', ({ data }) => updates.push(String(data)));
    await eventually(() => updates.length > 0, RESTART_WITHIN_MS, 'the connection of the page');
    await fetch(new URL('src/styles.css', consoleUrl()), { headers: { 'Sec-Fetch-Dest': 'script' } });
    await writeFile(path, `${await readFile(path, 'utf8')}\n.saved {\n  color: red;\n}\n`);
    const isReplaced = () => updates.some((text) => text.includes('"update"') && text.includes('styles.css'));
    await eventually(isReplaced, RESTART_WITHIN_MS, 'the update');
    page.close();
  });

  it('follows the sources of the service also after the configuration of the console was saved', async () => {
    const path = join(checkout.folder, 'console/vite.config.mjs');
    const page = new WebSocket(consoleUrl().replace('http', 'ws'), 'vite-hmr');
    await once(page, 'open');
    const closed = once(page, 'close');
    await writeFile(path, `${await readFile(path, 'utf8')}\n`);
    await closed;
    const isBack = async () => (await fetch(consoleUrl()).catch(() => undefined))?.ok === true;
    await eventually(isBack, RESTART_WITHIN_MS, 'the console');
    await save(sourceThatSays('followed'));
    await untilAnswer('followed');
  });

  it('answers with the new code after each save, in place and by renaming', async () => {
    for (const [number, saveSource] of [save, saveByRename].entries()) {
      const status = `saved ${number}`;
      await saveSource(sourceThatSays(status));
      await untilAnswer(status);
    }
  });

  it('answers with the last of several saves that come before it has restarted', async () => {
    for (const status of ['quick 1', 'quick 2', 'quick 3']) await save(sourceThatSays(status));
    await untilAnswer('quick 3');
  });

  it('still serves the old code and waits for the next save when a file does not compile', async () => {
    await save(`${source} {{{`);
    await eventually(
      () => lines.includes('The build failed. Save a file to try again.'),
      RESTART_WITHIN_MS,
      'the failure',
    );
    expect(await answer()).toBe('quick 3');
    await save(sourceThatSays('mended'));
    await untilAnswer('mended');
  });

  it('ends with Ctrl-C and leaves nothing running', async () => {
    const ended = once(dev, 'exit');
    process.kill(-(dev.pid ?? 0), 'SIGINT');
    await ended;
    expect(await answer()).toBeUndefined();
    await eventually(() => !isRunning(-(dev.pid ?? 0)), RESTART_WITHIN_MS, 'the end of its processes');
    await expect(readFile(join(checkout.folder, '.data/cluster/postmaster.pid'))).rejects.toThrow('ENOENT');
  });
});
