import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Client } from 'pg';
import { erase } from '../../../tools/erase/erase.js';
import type { Counts, Target } from '../../../tools/erase/erasure.js';
import type { TestService } from '../service/service.js';

/** Runs the erasure like the command, over a separate connection. Returns the counts and the output. */
export async function erased(
  { connect }: Pick<TestService, 'connect'>,
  target: Target,
  options: { batchSize?: number; dryRun?: boolean; requestedBy?: string } = {},
): Promise<Counts & { said: string }> {
  const client = await connect();
  const said: string[] = [];
  try {
    const order = { target, batchSize: 1000, dryRun: false, ...options, say: (line: string) => void said.push(line) };
    return { ...(await erase(client, order)), said: said.join('\n') };
  } finally {
    await client.end();
  }
}

/** The tables that contain this text. */
export async function tablesWith(sql: Client, text: string): Promise<string[]> {
  const { rows: tables } = await sql.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await sql.query(`SELECT FROM ${name} t WHERE position($1 IN t::text) > 0 LIMIT 1`, [text]);
    if (rowCount !== 0) found.push(name);
  }
  return found;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the command itself. */
export function startErase(
  { databaseUrl }: Pick<TestService, 'databaseUrl'>,
  words: readonly string[],
): { readonly process: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(process.execPath, ['dist/tools/erase/main.js', ...words], {
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data) => (stdout += String(data)));
  child.stderr.on('data', (data) => (stderr += String(data)));
  return { process: child, ended: once(child, 'close').then(([code]) => ({ code: code as number, stdout, stderr })) };
}

export function runErase(service: Pick<TestService, 'databaseUrl'>, words: readonly string[]): Promise<Ended> {
  return startErase(service, words).ended;
}
