import fc from 'fast-check';
import { PROPERTIES } from './properties/all.js';
import { all, type Property } from './property.js';
import type { Target } from './target.js';

export interface Plan {
  readonly seed: number;
  /** How many requests are sent at least. */
  readonly requests: number;
  /** One case of one property to be run again, as a failure names it. */
  readonly path?: string | undefined;
  readonly tell?: (line: string) => void;
}

/** Making a failure smaller may go on for ever; what was found until then is small enough. */
const LONGEST_MS = 30_000;

/** Rounds of all properties, each with a seed of its own, until enough was sent. Fails with what to type to see it again. */
export async function campaign(target: Target, plan: Plan): Promise<void> {
  if (plan.path === undefined) await rounds(target, plan);
  else await replay(target, plan.seed, plan.path);
  const gaps = await target.gaps();
  target.tally.checked('validation leaves no gap to the database');
  if (gaps.length > 0) throw new Error(`Only the database refused: ${gaps.join(', ')}; seed ${plan.seed}`);
}

async function rounds(target: Target, { seed, requests, tell }: Plan): Promise<void> {
  // Refusals come first: as long as nothing is accepted, what is stored must stay as it is, and is counted quickly.
  let end = 0;
  for (const { properties, share, lanes } of PROPERTIES) {
    end += requests * share;
    let round = 0;
    do {
      const seeds = Array.from({ length: lanes }, (_, lane) => (seed + round * lanes + lane) | 0);
      for (const property of properties) {
        await all(seeds.map((one) => run(property, target, { seed: one, numRuns: property.runs })));
      }
      round += 1;
      tell?.(`${target.tally.requests} of ${requests} requests`);
    } while (target.tally.requests < end);
  }
}

/** A path is the name of a property, the place of the case in fast-check's tree, and what commands need beside it. */
async function replay(target: Target, seed: number, path: string): Promise<void> {
  const [name = '', place = '', commands] = path.split('/');
  const property = PROPERTIES.flatMap(({ properties }) => properties).find((one) => one.name === name);
  if (property === undefined) throw new Error(`There is no property ${name}`);
  await run(property, target, { seed, path: place, endOnFailure: true }, commands);
}

export async function run(property: Property, target: Target, parameters: object, commands?: string): Promise<void> {
  const report = await fc.check(property.of(target, commands), { interruptAfterTimeLimit: LONGEST_MS, ...parameters });
  if (!report.failed) return;
  const { seed, counterexamplePath, numShrinks, errorInstance, counterexample } = report;
  const [value] = (counterexample ?? []) as { metadataForReplay?: () => string }[];
  const [, commandsPath] = /replayPath="([^"]*)"/.exec(value?.metadataForReplay?.() ?? '') ?? [];
  const path = [property.name, counterexamplePath, commandsPath].filter(Boolean).join('/');
  throw new Error(
    [
      `${property.name} does not hold (found after ${numShrinks} times making it smaller)`,
      errorInstance instanceof Error ? errorInstance.message : String(errorInstance),
      `See it again: npm run test:fuzz -- --seed ${seed} --path "${path}"`,
    ].join('\n\n'),
    { cause: errorInstance },
  );
}
