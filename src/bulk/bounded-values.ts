import { Problem } from '../problem/problem.js';

/** Size limit for the values in the 412 of one item, as JSON. */
export const MAX_VALUE_BYTES = 4096;

interface ReportedChange {
  readonly base?: unknown;
  readonly yours?: unknown;
  readonly current?: unknown;
}

/**
 * Limits the size of a 412, so that a response with 200 of them stays readable: omits the longest values, always all values of a field,
 * and marks the field as `truncated`.
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
