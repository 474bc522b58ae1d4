import { Problem } from '../problem/problem.js';
import type { FieldChange } from '../writes/conflicts.js';

/** Size limit for the values in the 412 of one item, as JSON. */
export const MAX_VALUE_BYTES = 4096;

/** Limits a 412, of which a response may have 200: omits the longest values, all of a field together, and marks it as `truncated`. */
export function withBoundedValues(problem: Problem): Problem {
  const { changes = [], ...members } = problem.members as { changes?: readonly FieldChange[] };
  const truncated = new Set<FieldChange>();
  let total = changes.reduce((sum, change) => sum + bytesOf(change), 0);
  for (const change of [...changes].sort((one, other) => bytesOf(other) - bytesOf(one))) {
    if (total <= MAX_VALUE_BYTES) break;
    truncated.add(change);
    total -= bytesOf(change);
  }
  if (truncated.size === 0) return problem;
  const shown = changes.map((change) => {
    const { base: _, yours: __, current: ___, ...rest } = change;
    return truncated.has(change) ? { ...rest, truncated: true } : change;
  });
  return new Problem('PRECONDITION_FAILED', problem.detail, { members: { ...members, changes: shown } });
}

function bytesOf({ base, yours, current }: FieldChange): number {
  return Buffer.byteLength(JSON.stringify([base, yours, current]));
}
