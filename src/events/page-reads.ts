/** Number of lagging streams that may read at the same time; the rest wait, so that requests get connections. */
const AT_ONCE = 2;

/** Limits concurrent database readers, first come, first served. */
export class PageReads {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  async one<Result>(read: () => Promise<Result>): Promise<Result> {
    if (this.running >= AT_ONCE) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      return await read();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}
