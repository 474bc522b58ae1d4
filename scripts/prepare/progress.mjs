/** Prints a step. On a terminal, it also counts the seconds, so that a slow step does not look stuck. */
export async function step(line, action) {
  const out = process.stderr;
  if (!out.isTTY) {
    out.write(`${line}\n`);
    return action();
  }
  const began = Date.now();
  const show = () => out.write(`\r${line} ${Math.round((Date.now() - began) / 1000)} s`);
  show();
  const ticking = setInterval(show, 1000);
  try {
    return await action();
  } finally {
    clearInterval(ticking);
    show();
    out.write('\n');
  }
}
