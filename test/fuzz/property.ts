import fc from 'fast-check';
import type { Target } from './target.js';

/** Something that is true of the service, whatever is generated. */
export interface Property {
  readonly name: string;
  /** How many runs of it belong to a round. */
  readonly runs: number;
  /** The fast-check property; `replay` is what only a sequence of commands needs to be repeated. */
  of(target: Target, replay?: string): fc.IAsyncProperty<[unknown]>;
}

/** A property of single values. */
export function property<T>(
  name: string,
  runs: number,
  arbitrary: (target: Target) => fc.Arbitrary<T>,
  holds: (value: T, target: Target) => Promise<void>,
): Property {
  // Making generators from the document takes longer than many requests.
  const made = new WeakMap<Target, fc.IAsyncProperty<[unknown]>>();
  return {
    name,
    runs,
    of: (target) => {
      let found = made.get(target);
      if (found === undefined) {
        found = fc.asyncProperty(arbitrary(target), (value) => holds(value, target));
        made.set(target, found);
      }
      return found;
    },
  };
}

const MOST_TOGETHER = 64;

/** A property of requests, many of which are in flight at once; when one fails it is found alone. */
export function batches<T>(
  name: string,
  runs: number,
  arbitrary: (target: Target) => fc.Arbitrary<T>,
  holds: (value: T, target: Target) => Promise<void>,
  afterwards?: (target: Target, values: readonly T[]) => Promise<void>,
): Property {
  const many = (target: Target) => fc.array(arbitrary(target), { minLength: 1, maxLength: MOST_TOGETHER, size: 'max' });
  return property(name, runs, many, async (values, target) => {
    try {
      await all(values.map((value) => holds(value, target)));
    } catch (error) {
      // What went wrong is told, not what follows from it; the next run begins with a clean slate.
      await afterwards?.(target, values).catch(() => undefined);
      throw error;
    }
    await afterwards?.(target, values);
  });
}

/** Waits for all, also when one fails, so that nothing of this run is under way in the next. */
export async function all(works: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(works);
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
