import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from '../support/plain-http.js';

const READY_WITHIN_MS = 60_000;

/** The built service as a process of its own, which can be killed and started again: always the same port. */
export class Replica {
  ready = false;
  /** Why a process ended that nobody killed. */
  ownEnd: string | undefined;
  private process: ChildProcess | undefined;

  constructor(
    readonly port: number,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  async start(): Promise<void> {
    const environment = { ...this.environment, PORT: String(this.port), HOST: '127.0.0.1' };
    const child = spawn(process.execPath, ['dist/src/main.js'], {
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let complaints = '';
    child.stderr.on('data', (chunk: Buffer) => (complaints = (complaints + chunk.toString()).slice(-2000)));
    child.once('exit', (code, signal) => {
      if (this.process === child) this.ownEnd = `${signal ?? `exit code ${String(code)}`}\n${complaints}`;
    });
    this.process = child;
    await this.untilReady();
    this.ready = true;
  }

  get pid(): number {
    return this.process?.pid ?? 0;
  }

  async kill(): Promise<void> {
    const child = this.process;
    if (child === undefined) return;
    this.ready = false;
    this.process = undefined;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** When this program itself ends early, nothing may stay behind. */
  killAtExit(): void {
    this.process?.kill('SIGKILL');
  }

  /** It listens only after its migrations, so any answer will do. */
  private async untilReady(): Promise<void> {
    const deadline = Date.now() + READY_WITHIN_MS;
    for (;;) {
      const answer = await request({ port: this.port, method: 'GET', path: '/health/ready' }).catch(() => undefined);
      if (answer !== undefined) return;
      if (this.ownEnd !== undefined) throw new Error(`The service ended by itself: ${this.ownEnd}`);
      if (Date.now() > deadline) throw new Error(`The service does not answer within ${READY_WITHIN_MS / 1000} s`);
      await sleep(40);
    }
  }
}

/** Asked for together, so that all are different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
