/** Weight of the latest connection in the moving average: a few slow connections are enough to notice. */
const LATEST_WEIGHT = 0.3;

/** How long connections are in use: a moving average of released connections, and the age of those still in use. */
export class PoolLatency {
  private readonly startedAt = new Map<object, number>();
  /** Sum of `startedAt`, so that its mean is cheap to compute. */
  private sum = 0;
  private meanMs = 0;

  /** Call when a connection is acquired, and after each read on a shared one. */
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

  /** Expected time in use. Includes connections still in use, so that a stall is noticed while it lasts. */
  expectedMs(): number {
    const { size } = this.startedAt;
    return size === 0 ? this.meanMs : Math.max(this.meanMs, performance.now() - this.sum / size);
  }
}
