/** Counts of requests, responses, goals and checks. */
export class Tally {
  requests = 0;
  readonly statuses = new Map<string, number>();
  readonly checks = new Map<string, number>();
  /** How often each goal was reached, by whichever generator. */
  readonly reached = new Map<string, number>();
  private readonly byGenerator = new Map<string, Map<string, number>>();
  private generator = 'fixture';

  /** Attributes later counts to this generator. */
  enter(generator: string): void {
    this.generator = generator;
  }

  answered(status: number, goals: readonly string[]): void {
    this.requests += 1;
    count(this.statuses, String(status));
    let own = this.byGenerator.get(this.generator);
    if (own === undefined) this.byGenerator.set(this.generator, (own = new Map()));
    for (const goal of goals) {
      count(this.reached, goal);
      count(own, goal);
    }
  }

  checked(check: string): void {
    count(this.checks, check);
  }

  reachedBy(generator: string): ReadonlyMap<string, number> {
    return this.byGenerator.get(generator) ?? new Map();
  }

  summary(seconds: number): string {
    return [
      `${this.requests} requests in ${seconds.toFixed(1)} s (${(this.requests / seconds).toFixed(0)} a second)`,
      `by status: ${listed(this.statuses)}`,
      `checks: ${listed(this.checks)}`,
    ].join('\n');
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function listed(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([name, number]) => `${name} ${number}`).join(', ');
}
