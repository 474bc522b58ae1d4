import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, readlink, realpath } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * The id of a PostgreSQL process that uses the cluster, whatever its lock files say. Leftover processes of a killed server count, too:
 * they may still be writing.
 */
export async function findServerProcess(cluster: string): Promise<number | undefined> {
  return process.platform === 'linux' ? findInProc(await realpath(cluster)) : findWithPs(cluster);
}

/** Every server process has the data folder as its working directory. */
async function findInProc(cluster: string): Promise<number | undefined> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '');
      return folder === cluster && (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')) === 'postgres\n';
    }),
  );
  const pid = pids[found.indexOf(true)];
  return pid === undefined ? undefined : Number(pid);
}

async function findWithPs(cluster: string): Promise<number | undefined> {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,command=']);
  const line = stdout.split('\n').find((one) => one.includes('postgres') && one.includes(` -D ${cluster} `));
  return line === undefined ? undefined : Number.parseInt(line, 10);
}

/** Finds a server in another container on a shared volume, whose process is invisible here. */
export async function answersOn(socketFolder: string, number: string | number): Promise<boolean> {
  const socket = connect(join(socketFolder, `.s.PGSQL.${number}`));
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
