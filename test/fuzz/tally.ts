/** What was sent, answered and checked. */
export class Tally {
  requests = 0;
  readonly statuses = new Map<string, number>();
  readonly operations = new Map<string, number>();
  readonly checks = new Map<string, number>();

  answered(operation: string, status: number): void {
    this.requests += 1;
    count(this.statuses, String(status));
    count(this.operations, operation);
  }

  checked(check: string): void {
    count(this.checks, check);
  }

  summary(seconds: number): string {
    return [
      `${this.requests} requests in ${seconds.toFixed(1)} s (${(this.requests / seconds).toFixed(0)} a second)`,
      `by status class: ${listed(byClass(this.statuses))}`,
      `by status: ${listed(this.statuses)}`,
      `by operation: ${listed(this.operations)}`,
      `checks: ${listed(this.checks)}`,
    ].join('\n');
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function byClass(statuses: ReadonlyMap<string, number>): Map<string, number> {
  const classes = new Map<string, number>();
  for (const [status, number] of statuses) {
    const name = `${status.charAt(0)}xx`;
    classes.set(name, (classes.get(name) ?? 0) + number);
  }
  return classes;
}

function listed(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([name, number]) => `${name} ${number}`).join(', ');
}
