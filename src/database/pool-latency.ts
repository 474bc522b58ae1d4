/** The weight of the latest connection in the moving average: enough to notice a slowdown after a few of them. */
const LATEST_WEIGHT = 0.3;

/** How long connections of the pool are in use: a moving average of those that were released, and the age of those in use. */
export class PoolLatency {
  private readonly startedAt = new Map<object, number>();
  /** The sum of the moments in `startedAt`: their mean is asked for whenever a request waits for a connection. */
  private sum = 0;
  private meanMs = 0;

  /** A connection was taken from the pool, or has answered one of the reads that share it. */
  begin(connection: object): void {
    const now = performance.now();
    this.sum += now - (this.startedAt.get(connection) ?? 0);
    this.startedAt.set(connection, now);
  }

  end(connection: object): void {
    const usedMs = performance.now() - (this.startedAt.get(connection) ?? performance.now());
    this.meanMs += (usedMs - this.meanMs) * LATEST_WEIGHT;
    this.sum -= this.startedAt.get(connection) ?? 0;
    this.startedAt.delete(connection);
    if (this.startedAt.size === 0) this.sum = 0;
  }

  /**
   * How long a connection is likely to be in use. Counts connections still in use, so that a stall shows up while it lasts, not
   * only after it.
   */
  expectedMs(): number {
    const { size } = this.startedAt;
    return size === 0 ? this.meanMs : Math.max(this.meanMs, performance.now() - this.sum / size);
  }
}
