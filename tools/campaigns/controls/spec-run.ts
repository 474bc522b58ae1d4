import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Jest's exit code when a test failed, as opposed to when it could not run. */
const TESTS_FAILED = 1;

/** A fault may be an endless loop. */
const MAX_RUN_MS = 900_000;

export interface SpecRun {
  readonly failed: boolean;
  /** How many tests failed and passed. */
  readonly summary: string;
  /** The first one. */
  readonly failedSpec: string | undefined;
}

/** Changed copies of sources, from which specs run instead. */
export class ChangedSources {
  private readonly folder = mkdtempSync('node_modules/.cache/waybill-changed-');

  put(file: string, text: string): void {
    const path = join(this.folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Runs Jest with these words. `env` is added to the environment of the specs. */
  async run(words: readonly string[], env: Record<string, string> = {}): Promise<SpecRun> {
    // A fault may leave a connection open, for which nobody can wait.
    const program = ['node_modules/jest/bin/jest.js', '--testTimeout=20000', '--forceExit', ...words];
    const jest = spawn(process.execPath, program, {
      env: { ...process.env, ...env, TEST_SOURCES: this.folder, EVIDENCE_FILE: '' },
      stdio: ['ignore', 'ignore', 'pipe'],
      // With its workers in a group.
      detached: true,
    });
    const limit = AbortSignal.timeout(MAX_RUN_MS);
    const end = () => process.kill(-(jest.pid ?? 0), 'SIGKILL');
    limit.addEventListener('abort', end);
    const output: Buffer[] = [];
    jest.stderr.on('data', (chunk: Buffer) => output.push(chunk));
    const [code] = (await once(jest, 'close')) as [number | null];
    limit.removeEventListener('abort', end);
    if (limit.aborted) return { failed: true, summary: 'did not end', failedSpec: undefined };
    const text = Buffer.concat(output).toString();
    const summary = /^Tests: +(.+)$/m.exec(text)?.[1] ?? 'no test ran';
    const failed = code === TESTS_FAILED && summary.includes('failed');
    return { failed, summary, failedSpec: /^FAIL \S+ (\S+\.spec\.ts)/m.exec(text)?.[1] };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** Works through the items, so many of them at the same time. */
export async function workThrough<Item>(
  items: readonly Item[],
  workers: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  // All workers take their items from it.
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}
