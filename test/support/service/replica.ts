import { type ChildProcess, spawn } from 'node:child_process';
import { get } from 'node:http';
import { createInterface } from 'node:readline';
import type { Client } from 'pg';
import { connect, createTestDatabase, type TestDatabase } from '../database/test-database.js';
import { Api } from '../http/api.js';
import { eventually } from '../races/eventually.js';
import { freePort } from '../http/free-port.js';

const START_WITHIN_MS = 60_000;

/** Inherited environment variables; the test sets the rest of the configuration. */
const INHERITED = { PATH: process.env['PATH'], NODE_ENV: 'test', HOST: '127.0.0.1' };

/** The service as deployed: a separate process that runs the build. */
export class Replica {
  /** Its output, line by line. */
  readonly lines: string[] = [];
  private process: ChildProcess | undefined;
  private exited: Promise<number | null> = Promise.resolve(null);

  private constructor(
    readonly port: number,
    private readonly environment: Record<string, string>,
    /** The folder of another build. */
    private readonly folder: string | undefined,
    /** A program that replaces itself with the service, and its arguments. */
    private readonly wrapper: readonly string[],
  ) {}

  static async start(
    environment: Record<string, string>,
    folder?: string,
    wrapper?: readonly string[],
  ): Promise<Replica> {
    const replica = await Replica.launch(environment, folder, wrapper);
    await replica.untilReady();
    return replica;
  }

  /** Does not wait until it is ready. */
  static async launch(
    environment: Record<string, string>,
    folder?: string,
    wrapper: readonly string[] = [],
  ): Promise<Replica> {
    const replica = new Replica(Number(environment['PORT'] ?? (await freePort())), environment, folder, wrapper);
    replica.launchAgain();
    return replica;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get api(): Api {
    return new Api(this.url);
  }

  get pid(): number {
    return this.process?.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.process?.exitCode === null && this.process.signalCode === null;
  }

  /** Resolves when it is ready. */
  async startAgain(): Promise<void> {
    this.launchAgain();
    await this.untilReady();
  }

  private launchAgain(): void {
    const env = { ...INHERITED, PORT: String(this.port), ...this.environment };
    const options = { env, cwd: this.folder, stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] };
    const [program, ...words] = [...this.wrapper, process.execPath, 'dist/src/main.js'];
    const child = spawn(program, words, options);
    this.process = child;
    // Kill it if the test run is interrupted.
    const endWithTests = () => child.kill('SIGKILL');
    process.once('exit', endWithTests);
    child.once('exit', () => process.off('exit', endWithTests));
    for (const output of [child.stdout, child.stderr]) {
      createInterface(output).on('line', (line) => this.lines.push(line));
    }
    // Not on 'exit', when the last output may not have been read yet.
    this.exited = new Promise((resolve) => child.once('close', (code) => resolve(code)));
  }

  async untilReady(): Promise<void> {
    const isReady = async () => {
      if (!this.isRunning) {
        await this.exited;
        throw new Error('it ended');
      }
      return this.isReady();
    };
    await eventually(isReady, START_WITHIN_MS, 'readiness').catch((error: unknown) => {
      throw new Error(`The service does not start: ${String(error)}\n${this.lines.slice(-20).join('\n')}`);
    });
  }

  async isReady(): Promise<boolean> {
    return (await this.readiness()) === 200;
  }

  /** The status of the readiness check; undefined without a response. */
  readiness(): Promise<number | undefined> {
    const { MANAGEMENT_PORT = '' } = this.environment;
    const port = MANAGEMENT_PORT === '' ? this.port : MANAGEMENT_PORT;
    return new Promise((resolve) => {
      get({ host: '127.0.0.1', port, path: '/health/ready', agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).once('error', () => resolve(undefined));
    });
  }

  signal(name: NodeJS.Signals): void {
    this.process?.kill(name);
  }

  /** The exit code, once it has ended. */
  get exit(): Promise<number | null> {
    return this.exited;
  }

  /** Sends SIGTERM and returns the exit code. */
  async stop(): Promise<number | null> {
    this.signal('SIGTERM');
    return this.exited;
  }

  /** Sends SIGKILL. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.exited;
  }
}

/** A replica with a database of its own, and a connection to inspect it, for the tests of a spec that do not break PostgreSQL. */
export function useReplica(environment: () => Record<string, string>): { replica: Replica; sql: Client } {
  const world = {} as { replica: Replica; sql: Client };
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    world.sql = await connect(database.url);
    world.replica = await Replica.start({ DATABASE_URL: database.url, ...environment() });
  });
  afterAll(async () => {
    await world.replica.stop();
    await world.sql.end();
    await database.drop();
  });
  return world;
}
