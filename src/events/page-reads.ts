/** How many streams that have fallen behind may read pages at the same time; the others wait, so that requests find connections. */
const AT_ONCE = 2;

/** Limits how many readers query the database at a time, first come, first served. */
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
