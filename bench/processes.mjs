// The CPU time and memory of processes, from /proc.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const PAGE_BYTES = Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' }));

/** The numbered fields of /proc/PID/stat; the program's name before them may itself contain blanks. */
function statOf(pid) {
  const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number);
  return { pid: Number(pid), parent: Number(fields[1]), own: utime + stime, reaped: cutime + cstime };
}

export function parentOf(pid) {
  return statOf(pid).parent;
}

/** CPU seconds of a process and all that it started, also of those that have ended. */
export function cpuOf(pid) {
  for (;;) {
    const root = statOf(pid);
    const seconds = childrenOf(pid).reduce((sum, child) => sum + cpuSeconds(child), cpuSeconds(root));
    // A child that ends between the two looks would be missed or counted twice.
    if (statOf(pid).reaped === root.reaped) return seconds;
  }
}

/** In nanoseconds where the kernel has them: ticks of 10 ms are too coarse for a dozen processes that each work for a second. */
function cpuSeconds({ pid, own, reaped }) {
  return (nanosecondsOf(pid) ?? (own / TICKS_PER_SECOND) * 1e9) / 1e9 + reaped / TICKS_PER_SECOND;
}

function nanosecondsOf(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((sum, id) => {
      return sum + Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'latin1').split(' ', 1)[0]);
    }, 0);
  } catch {
    return undefined;
  }
}

function childrenOf(pid) {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        return statOf(name);
      } catch {
        return undefined; // ended meanwhile
      }
    });
  return stats.filter((stat) => stat?.parent === pid);
}

/** Resident memory of a process and what it started, in megabytes. */
export function rssOf(pid) {
  const pages = [pid, ...childrenOf(pid).map((child) => child.pid)].map((one) => {
    return Number(readFileSync(`/proc/${one}/statm`, 'latin1').split(' ')[1]);
  });
  return (pages.reduce((sum, count) => sum + count, 0) * PAGE_BYTES) / 2 ** 20;
}
