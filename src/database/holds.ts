/** How much the latest connection weighs in the mean time that one is held: enough to feel a slowdown after a few. */
const LATEST_WEIGHT = 0.3;

/** How long connections are held: those that were given back, and those in use. */
export class Holds {
  private readonly begun = new Map<object, number>();
  /** Of the moments in `begun`: their mean is asked for whenever somebody waits. */
  private sum = 0;
  private meanMs = 0;

  /** A connection was taken, or is needed no longer by one of those who share it. */
  begin(connection: object): void {
    this.forget(connection);
    const now = performance.now();
    this.begun.set(connection, now);
    this.sum += now;
  }

  end(connection: object): void {
    const held = performance.now() - (this.begun.get(connection) ?? performance.now());
    this.meanMs += (held - this.meanMs) * LATEST_WEIGHT;
    this.forget(connection);
  }

  /** As long as connections were held of late, or as those in use are held already: slowness must not first be over to be seen. */
  expectedMs(): number {
    const { size } = this.begun;
    return size === 0 ? this.meanMs : Math.max(this.meanMs, performance.now() - this.sum / size);
  }

  private forget(connection: object): void {
    this.sum -= this.begun.get(connection) ?? 0;
    this.begun.delete(connection);
    if (this.begun.size === 0) this.sum = 0;
  }
}
