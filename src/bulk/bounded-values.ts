import { Problem } from '../problem/problem.js';

/** How many bytes the values in the 412 of one item may have together, in JSON. */
export const MAX_VALUE_BYTES = 4096;

interface ReportedChange {
  readonly base?: unknown;
  readonly yours?: unknown;
  readonly current?: unknown;
}

/**
 * The same 412 with a bounded size, so that 200 of them stay a readable answer: the longest values are left out, each time all
 * values of a field, and the field is marked `truncated`. Read the shipment to see them.
 */
export function withBoundedValues(problem: Problem): Problem {
  const { changes, ...members } = problem.members as { changes?: readonly ReportedChange[] };
  if (changes === undefined) return problem;
  const sizes = changes.map(bytesOf);
  let total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= MAX_VALUE_BYTES) return problem;
  const shown: ReportedChange[] = [...changes];
  const longestFirst = sizes.map((size, index) => ({ size, index })).sort((one, other) => other.size - one.size);
  for (const { size, index } of longestFirst) {
    if (total <= MAX_VALUE_BYTES) break;
    const { base: _, yours: __, current: ___, ...rest } = shown[index] ?? {};
    shown[index] = { ...rest, truncated: true } as ReportedChange;
    total -= size;
  }
  return new Problem(problem.code, problem.detail, { members: { ...members, changes: shown } });
}

function bytesOf({ base, yours, current }: ReportedChange): number {
  return Buffer.byteLength(JSON.stringify([base, yours, current]));
}
