/** Permanently advances `performance.now` in this process; timers are not affected. */
export function moveClock(ms: number): void {
  const now = performance.now.bind(performance);
  performance.now = () => now() + ms;
}
