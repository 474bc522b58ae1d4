import fc from 'fast-check';
import { coverageGaps } from './coverage.js';
import { goalsOf } from './goals.js';
import { PROPERTIES } from './properties/all.js';
import { all, type Property } from './property.js';
import type { Target } from './target.js';

export interface Plan {
  readonly seed: number;
  /** How many random requests are sent at least, after those that make sure that nothing is left out. */
  readonly requests: number;
  /** One case of one property to be run again, as a failure names it. */
  readonly path?: string | undefined;
  readonly tell?: (line: string) => void;
}

/** Making a failure smaller may go on for ever; what was found until then is small enough. */
const MAX_MS = 30_000;
const GAPS_SHOWN = 50;

/** Rounds of all properties, each with a seed of its own, until enough was sent. Fails with what to type to see it again. */
export async function campaign(target: Target, plan: Plan): Promise<void> {
  if (plan.path === undefined) {
    await rounds(target, plan);
    expectCoverage(target);
  } else {
    await replay(target, plan.seed, plan.path);
  }
  const gaps = await target.gaps();
  target.tally.checked('validation leaves no gap to the database');
  if (gaps.length > 0) throw new Error(`Only the database refused: ${gaps.join(', ')}; seed ${plan.seed}`);
}

async function rounds(target: Target, { seed, requests, tell }: Plan): Promise<void> {
  // Refusals come first: as long as nothing is accepted, what is stored must stay as it is, and is counted quickly.
  for (const { properties, share, lanes } of PROPERTIES) {
    for (const property of properties) {
      target.tally.enter(property.name);
      await runOneOfEach(property, target, seed);
    }
    const end = target.tally.requests + requests * share;
    for (let round = 0; target.tally.requests < end; round += 1) {
      const seeds = Array.from({ length: lanes }, (_, lane) => (seed + round * lanes + lane) | 0);
      for (const property of properties) {
        target.tally.enter(property.name);
        await all(seeds.map((one) => run(property, target, { seed: one, numRuns: property.runs })));
      }
      tell?.(`${target.tally.requests} requests`);
    }
  }
}

/** Every part of the document must have been used or seen; a generator that produces nothing fails the campaign. */
function expectCoverage({ description, tally }: Target): void {
  const properties = PROPERTIES.flatMap((group) => group.properties);
  const gaps = coverageGaps(goalsOf(description), properties, tally);
  if (gaps.length === 0) return;
  const shown = [...gaps.slice(0, GAPS_SHOWN), ...(gaps.length > GAPS_SHOWN ? ['...'] : [])];
  throw new Error(`Never used or never seen (${gaps.length}):\n  ${shown.join('\n  ')}`);
}

/** Named `lists#0`, `lists#1`, so that a failure can be run again. */
export async function runOneOfEach(property: Property, target: Target, seed: number): Promise<void> {
  for (const one of parts(property, target)) await run(one, target, { seed, numRuns: 1 });
}

function parts({ name, runs, oneOfEach }: Property, target: Target): Property[] {
  return (oneOfEach?.(target) ?? []).map((part, index) => ({ name: `${name}#${index}`, runs, of: () => part }));
}

/** A path is the name of a property, the place of the case in fast-check's tree, and what commands need beside it. */
async function replay(target: Target, seed: number, path: string): Promise<void> {
  const [name = '', place = '', commands] = path.split('/');
  const [whole = '', part] = name.split('#');
  const found = PROPERTIES.flatMap(({ properties }) => properties).find((one) => one.name === whole);
  const property = part === undefined || found === undefined ? found : parts(found, target)[Number(part)];
  if (property === undefined) throw new Error(`There is no property ${name}`);
  await run(property, target, { seed, path: place, endOnFailure: true }, commands);
}

export async function run(property: Property, target: Target, parameters: object, commands?: string): Promise<void> {
  const report = await fc.check(property.of(target, commands), {
    plugins: [fc.interruptAfterTimeLimit(MAX_MS)],
    ...parameters,
  });
  if (!report.failed) return;
  const { seed, counterexamplePath, numShrinks, errorInstance, counterexample } = report;
  const [value] = (counterexample ?? []) as { metadataForReplay?: () => string }[];
  const [, commandsPath] = /replayPath="([^"]*)"/.exec(value?.metadataForReplay?.() ?? '') ?? [];
  const path = [property.name, counterexamplePath, commandsPath].filter(Boolean).join('/');
  throw new Error(
    [
      `${property.name} does not hold (found after ${numShrinks} times making it smaller)`,
      errorInstance instanceof Error ? errorInstance.message : String(errorInstance),
      `See it again: npm run campaign -- fuzz --seed ${seed} --path "${path}"`,
    ].join('\n\n'),
    { cause: errorInstance },
  );
}
