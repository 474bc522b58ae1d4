import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const PROGRAM = `
import { startEmbeddedPostgres } from '@waybill/embedded-postgres';
const { url } = await startEmbeddedPostgres({ dataDir: process.argv[1] });
console.log(url);
setInterval(() => undefined, 1000);
`;

/** A process with an embedded PostgreSQL, and nothing else: only a process of its own can be killed. */
export function spawnService(dataDir: string): ChildProcess {
  const options = ['--input-type=module', '--eval', PROGRAM, dataDir];
  return spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Resolves with the address of the service's database. */
export async function untilReady(service: ChildProcess): Promise<string> {
  if (!service.stdout) throw new Error('the service has no output to read');
  const [url] = (await once(createInterface(service.stdout), 'line')) as [string];
  return url;
}

export async function killHard(process: ChildProcess): Promise<void> {
  const gone = once(process, 'exit');
  process.kill('SIGKILL');
  await gone;
}
