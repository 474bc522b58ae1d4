// CPU time, which means something on a busy machine as well.

/** Runs a command, then writes what bash and its children took. */
export const TIMED = ['bash', '-c', '"$@" && times', 'bash'];

/** Of the children, in seconds: the last line that `times` of bash wrote. */
export function childSeconds(written) {
  const last = written.trim().split('\n').at(-1);
  const parts = [...last.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}
