import { readdirSync, readFileSync } from 'node:fs';
import type { Client } from 'pg';

/** The kernel counts in ticks of 10 ms, on all Linux systems that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Processor seconds that a process has used so far. */
export function cpuOfProcess(pid: number): number {
  return ticksOf(pid).own / TICKS_PER_SECOND;
}

/** Processor seconds of a PostgreSQL server so far: the postmaster, its present children, and those that have ended. */
export function cpuOfServer(postmaster: number): number {
  const { own, ended } = ticksOf(postmaster);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ticksOfChild(Number(name), postmaster));
  return children.reduce((sum, ticks) => sum + ticks, own + ended) / TICKS_PER_SECOND;
}

export async function postmasterOf(sql: Client): Promise<number> {
  const { rows } = await sql.query<{ data_directory: string }>('SHOW data_directory');
  const [pid] = readFileSync(`${String(rows[0]?.data_directory)}/postmaster.pid`, 'utf8').split('\n', 1);
  return Number(pid);
}

/** Processes come and go while they are listed. */
function ticksOfChild(pid: number, parent: number): number {
  try {
    const ticks = ticksOf(pid);
    return ticks.parent === parent ? ticks.own : 0;
  } catch {
    return 0;
  }
}

function ticksOf(pid: number): { parent: number; own: number; ended: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program comes second, in brackets, and may hold anything.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15);
  return { parent: fields[1] ?? 0, own: utime + stime, ended: cutime + cstime };
}
