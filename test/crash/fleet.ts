import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from './http.js';

const READY_WITHIN_MS = 60_000;

/** One of the processes of the service: always the same port, each time another process. */
class Replica {
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

/** The service as several processes on one database, so that load goes on while one of them comes up again. */
export class Fleet {
  private constructor(private readonly replicas: readonly Replica[]) {}

  static async start(size: number, environment: NodeJS.ProcessEnv): Promise<Fleet> {
    const ports = await freePorts(size);
    const fleet = new Fleet(ports.map((port) => new Replica(port, environment)));
    process.once('exit', () => fleet.replicas.forEach((replica) => replica.killAtExit()));
    try {
      await Promise.all(fleet.replicas.map((replica) => replica.start()));
    } catch (error) {
      await fleet.stop();
      throw error;
    }
    return fleet;
  }

  /** The port of any process that is up; of any at all when none is. */
  anyPort(): number {
    const up = this.replicas.filter(({ ready }) => ready);
    return oneOf(up.length > 0 ? up : this.replicas).port;
  }

  /** Kills a process that serves at this moment, while another does. Resolves when it is gone; its successor starts. */
  async killOne(): Promise<{ started: Promise<void> }> {
    for (;;) {
      const up = this.replicas.filter(({ ready }) => ready);
      const failed = this.replicas.find(({ ownEnd }) => ownEnd !== undefined);
      if (failed !== undefined) throw new Error(`The service ended by itself: ${String(failed.ownEnd)}`);
      if (up.length > 1) {
        const victim = oneOf(up);
        await victim.kill();
        return { started: victim.start() };
      }
      await sleep(5);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.kill()));
  }
}

export function oneOf<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to choose from');
  return item;
}

/** Asked for together, so that all are different. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
