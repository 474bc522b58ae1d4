import { spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

/** PostgreSQL and Patroni refuse to run as root, or should not. */
export const ACCOUNT = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** Processes and folders that must not outlive the run. */
const atExit = new Set<() => void>();
process.once('exit', () => {
  for (const end of atExit) end();
});

export function endWithRun(end: () => void): void {
  atExit.add(end);
}

/** A program that runs until it is ended; what it says goes to a file. */
export class Program {
  private constructor(
    private readonly child: ChildProcess,
    private readonly gone: Promise<void>,
  ) {}

  static start(
    command: string,
    options: readonly string[],
    logFile: string,
    env: Record<string, string> = {},
  ): Program {
    const child = spawn(command, options, {
      ...ACCOUNT,
      env: { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin`, HOME: '/tmp', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const output of [child.stdout, child.stderr]) {
      output.on('data', (text: Buffer) => appendFileSync(logFile, text));
    }
    endWithRun(() => child.kill('SIGKILL'));
    const gone = new Promise<void>((resolve) => child.once('error', () => resolve()).once('exit', () => resolve()));
    return new Program(child, gone);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.child.kill(signal);
    await this.gone;
  }
}

/** A process and all that descend from it, as the machine that they stand for would lose them. */
export async function withDescendants(pid: number): Promise<number[]> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(all.map(async (one) => [one, await parentOf(one)] as const));
  const found = [pid];
  for (const one of found) found.push(...parents.filter(([, parent]) => parent === one).map(([child]) => child));
  return found;
}

async function parentOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  return parent === undefined ? undefined : Number(parent);
}

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It ended in the meantime, which is as good.
    }
  }
}
