import fc from 'fast-check';
import type { Goal } from './goals.js';
import type { Target } from './target.js';

/** Something that is true of the service, whatever is generated. */
export interface Property {
  readonly name: string;
  /** How many runs of it belong to a round. */
  readonly runs: number;
  /** The parts of the document that this property alone must have used or seen by the end of a campaign. */
  readonly covers?: ((goal: Goal) => boolean) | undefined;
  /** The fast-check property; `replay` is what only a sequence of commands needs to be repeated. */
  of(target: Target, replay?: string): fc.IAsyncProperty<[unknown]>;
  /** Runs that hold one case of each kind that it can generate, so that a short campaign leaves none of them to chance. */
  oneOfEach?(target: Target): fc.IAsyncProperty<[unknown]>[];
}

/** A property of single values. */
export function property<T>(
  name: string,
  runs: number,
  arbitrary: (target: Target) => fc.Arbitrary<T>,
  holds: (value: T, target: Target) => Promise<void>,
): Property {
  return {
    name,
    runs,
    of: (target) => fc.asyncProperty(arbitrary(target), (value) => holds(value, target)),
  };
}

const MAX_TOGETHER = 64;

/** A property of requests, many of which are in flight at once. */
export interface Batches<T> {
  readonly name: string;
  readonly runs: number;
  readonly covers: (goal: Goal) => boolean;
  /** A generator for each kind of request. */
  readonly kinds: (target: Target) => readonly fc.Arbitrary<T>[];
  readonly holds: (value: T, target: Target) => Promise<void>;
  readonly afterwards?: (target: Target, values: readonly T[]) => Promise<void>;
}

export function batches<T>({ name, runs, covers, kinds, holds, afterwards }: Batches<T>): Property {
  const together = async (values: readonly T[], target: Target) => {
    try {
      await all(values.map((value) => holds(value, target)));
    } catch (error) {
      // Only the first failure is reported, not its consequences; the next run starts with an empty state.
      await afterwards?.(target, values).catch(() => undefined);
      throw error;
    }
    await afterwards?.(target, values);
  };
  // Making generators from the document takes longer than many requests.
  const made = new WeakMap<Target, readonly fc.Arbitrary<T>[]>();
  const kindsFor = (target: Target) => {
    let found = made.get(target);
    if (found === undefined) made.set(target, (found = kinds(target)));
    if (found.length === 0) throw new Error(`${name} has nothing to generate`);
    return found;
  };
  return {
    name,
    runs,
    covers,
    of: (target) => {
      const many = fc.array(fc.oneof(...kindsFor(target)), { minLength: 1, maxLength: MAX_TOGETHER, size: 'max' });
      return fc.asyncProperty(many, (values) => together(values, target));
    },
    oneOfEach: (target) =>
      chunksOf(kindsFor(target), MAX_TOGETHER).map(
        (chunk) => fc.asyncProperty(fc.tuple(...chunk), (values) => together(values, target)) as never,
      ),
  };
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** Waits for all, also when one fails, so that nothing of this run is under way in the next. */
export async function all(works: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(works);
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
