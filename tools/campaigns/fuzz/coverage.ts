import { groupBy } from '../../../test/support/repository/group-by.js';
import type { Description } from './description.js';
import { goalsOf, type Goal } from './goals.js';
import type { Property } from './property.js';
import type { Tally } from './tally.js';

/** Answers that generated requests cannot bring about, or not for certain, and where they are tested instead. */
export const OUT_OF_REACH: Readonly<Record<string, string>> = {
  INTERNAL: 'is a bug wherever it is seen',
  UNAVAILABLE: 'needs a database that fails: test/system',
  OUTCOME_UNKNOWN: 'needs a COMMIT whose answer is lost: test/writes/transaction-faults.spec.ts',
  REQUEST_TIMEOUT: 'needs a client that stops in the middle of a request: test/hostile/wire.spec.ts',
  HEADERS_TOO_LARGE: 'is answered by the parser, before there is a route: test/server/parser-errors.spec.ts',
  MALFORMED_REQUEST: 'needs bytes that are no HTTP: test/server/parser-errors.spec.ts',
  MISDIRECTED_REQUEST: 'needs another Host than the one that the service has: test/http/allowed-hosts.spec.ts',
  RATE_LIMITED: 'needs a service with a rate limit: test/http/rate-limit.spec.ts',
  ERASED: 'needs an erasure: test/tools/erasure.spec.ts',
  NOT_KEPT: 'needs a month that is archived: test/tools/deletions-archive.spec.ts',
  IDEMPOTENCY_IN_PROGRESS: 'needs the first of two requests to be held up: test/writes/idempotency.spec.ts',
};

/** Goals that a campaign missed: of each generator, and of all generators together. */
export function coverageGaps(all: readonly Goal[], properties: readonly Property[], tally: Tally): string[] {
  const goals = all.filter(isInReach);
  const ofProperties = properties.flatMap(({ name, covers }) => {
    const own = tally.reachedBy(name);
    return goals.filter((goal) => covers?.(goal) === true && !own.has(goal.key)).map(({ key }) => `${name}: ${key}`);
  });
  const ofNobody = goals.filter(({ key }) => !tally.reached.has(key)).map(({ key }) => `no generator: ${key}`);
  return [...ofProperties, ...ofNobody];
}

/** How often everything was used and seen: a line for each operation under each kind of thing. */
export function coverageTable(description: Description, tally: Tally): string {
  const lines: string[] = [];
  const goals = goalsOf(description).filter(isInReach);
  for (const [kind, ofKind] of groupBy(goals, (goal) => goal.kind)) {
    lines.push(`${kind}s`);
    for (const [operation, ofOperation] of groupBy(ofKind, (goal) => goal.operation.id)) {
      lines.push(`  ${operation}: ${countsOf(ofOperation, tally)}`);
    }
  }
  return lines.join('\n');
}

function countsOf(goals: readonly Goal[], tally: Tally): string {
  const names = [...new Set(goals.map(({ name }) => name))];
  return names
    .map((name) => {
      const counts = goals.filter((goal) => goal.name === name).map(({ key }) => tally.reached.get(key) ?? 0);
      return `${name} ${counts.join('/')}`.trim();
    })
    .join(', ');
}

export function isInReach({ kind, name, operation }: Goal): boolean {
  if (kind !== 'answer') return true;
  const code = name.split(' ')[1] ?? '';
  // An undelete has no body, but may need a rule that is newer than the deletion: test/deletions/bulk-undelete.spec.ts.
  if (code === 'VALIDATION_FAILED' && operation.id.startsWith('undelete')) return false;
  return OUT_OF_REACH[code] === undefined;
}
