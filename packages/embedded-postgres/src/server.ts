import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, closeSync, openSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import type { Account } from './account.js';
import { SERVER_ENVIRONMENT } from './settings.js';

const FAST_SHUTDOWN_MS = 10_000;
const LOG_LINES_SHOWN = 15;
const LOG_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;

/** Nothing is written to the pipe, so `read` returns when the service has died and the system closes it. */
const WATCH = 'read -r _; kill -INT "$1"';

export interface ServerPlan {
  readonly program: string;
  readonly arguments: string[];
  readonly account: Account | undefined;
  readonly folder: string;
  readonly logFile: string;
}

/**
 * A running postgres, and a watchdog that stops it when the service dies. Both have their own process groups: Ctrl-C must not stop the
 * database while the service completes its last requests.
 */
export class Server {
  /** Set when the server has exited, for whatever reason. */
  ending: string | undefined;
  /** Resolves at the same time. */
  readonly exited: Promise<unknown>;
  private stopped: Promise<void> | undefined;

  private constructor(
    private readonly postgres: ChildProcess,
    private readonly watchdog: ChildProcess,
    private readonly logFile: string,
  ) {
    postgres.once('exit', (code, signal) => this.ended(signal ? `signal ${signal}` : `exit code ${String(code)}`));
    this.exited = once(postgres, 'exit');
    this.release();
  }

  get pid(): number | undefined {
    return this.postgres.pid;
  }

  static async launch(plan: ServerPlan): Promise<Server> {
    await rename(plan.logFile, `${plan.logFile}.1`).catch(() => undefined);
    const log = openSync(plan.logFile, LOG_FLAGS, 0o600);
    try {
      const options = { ...plan.account, cwd: plan.folder, env: SERVER_ENVIRONMENT, detached: true };
      const postgres = spawn(plan.program, plan.arguments, { ...options, stdio: ['ignore', log, log] });
      const watchdog = spawn('sh', ['-c', WATCH, 'waybill-watchdog', String(postgres.pid)], {
        ...options,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      await bothSpawned(postgres, watchdog);
      return new Server(postgres, watchdog, plan.logFile);
    } finally {
      closeSync(log);
    }
  }

  /** Rolls back open transactions and closes sessions; the data are on disk when it resolves. */
  stop(): Promise<void> {
    this.stopped ??= this.shutDown();
    return this.stopped;
  }

  async lastLogLines(): Promise<string> {
    const log = await readFile(this.logFile, 'utf8').catch(() => '');
    return log.trimEnd().split('\n').slice(-LOG_LINES_SHOWN).join('\n');
  }

  private async shutDown(): Promise<void> {
    if (this.ending !== undefined) return;
    this.postgres.ref();
    const impatience = setTimeout(() => this.postgres.kill('SIGQUIT'), FAST_SHUTDOWN_MS);
    this.postgres.kill('SIGINT');
    await this.exited;
    clearTimeout(impatience);
  }

  private ended(how: string): void {
    this.ending = how;
    this.watchdog.kill('SIGKILL');
  }

  /** A service that exits without stop() must not be kept alive by its children; the watchdog then stops the server. */
  private release(): void {
    this.postgres.unref();
    this.watchdog.unref();
    const pipe = this.watchdog.stdin as (NodeJS.WritableStream & { unref(): void }) | null;
    pipe?.on('error', () => undefined);
    pipe?.unref();
  }
}

async function bothSpawned(postgres: ChildProcess, watchdog: ChildProcess): Promise<void> {
  try {
    await Promise.all([once(postgres, 'spawn'), once(watchdog, 'spawn')]);
  } catch (error) {
    postgres.kill('SIGQUIT');
    watchdog.kill('SIGKILL');
    throw error;
  }
}
