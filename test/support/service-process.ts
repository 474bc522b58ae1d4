import { transformFile } from '@swc/core';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const SOURCE = 'src/database';
const PROGRAM = `
const { startEmbeddedPostgres } = require('./embedded-postgres.js');
startEmbeddedPostgres({ dataDir: process.argv[2] }).then(({ url }) => console.log(url));
setInterval(() => undefined, 1000);
`;

/** Compiles the sources into a folder, so that plain node runs them: only a process of its own can be killed. */
export async function compileService(folder: string): Promise<string> {
  for (const file of await readdir(SOURCE, { recursive: true })) {
    if (!/^embedded.*\.ts$/.test(file)) continue;
    const { code } = await transformFile(join(SOURCE, file));
    const target = join(folder, file.replace(/ts$/, 'js'));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, code);
  }
  await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  const program = join(folder, 'service.cjs');
  await writeFile(program, PROGRAM);
  return program;
}

export function spawnService(program: string, dataDir: string): ChildProcess {
  return spawn(process.execPath, [program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
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
