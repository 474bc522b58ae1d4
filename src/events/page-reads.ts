/** So many streams that are behind read pages at the same time; the others wait, so that requests find connections. */
const AT_ONCE = 2;

/** Lets few readers at a time have the database, in the order in which they came. */
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
