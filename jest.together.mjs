import { readdirSync, readFileSync } from 'node:fs';

/**
 * Jest loads the 1,800 modules of the service and its packages anew for each file, which takes longer than most specs do. So a run of
 * all specs puts those that load the service into a few files, each under its name; `test/together/run-part.ts` runs them. All others
 * run by themselves.
 */
const LOADS_SERVICE =
  /from '[./]*(src\/(app\.setup|open-database)|support\/\w+\/(service|service-role|numbering-world|large-database)|suite|target|world|harness|conflict-stage)\.js'/;

export function loadsService(name) {
  return LOADS_SERVICE.test(readFileSync(`test/${name}`, 'utf8'));
}

/** How long a spec takes that a configuration does not list. */
const USUAL_SECONDS = 2;

/** The part of a configuration that runs these specs so, in parts that take equally long by the seconds that some specs take. */
export function inParts(count, specs, seconds) {
  const together = specs.filter(loadsService);
  const alone = specs.filter((name) => !loadsService(name));
  return {
    testMatch: [`<rootDir>/test/together/part-[0-${count - 1}].ts`, ...alone.map((name) => `<rootDir>/test/${name}`)],
    globals: { PARTS: evenly(count, together, (name) => seconds[name.replace('.spec.ts', '')] ?? USUAL_SECONDS) },
    testSequencer: '<rootDir>/test/together/parts-first.mjs',
  };
}

/** The longest first, each to the part that has least. */
function evenly(count, specs, secondsOf) {
  const parts = Array.from({ length: count }, () => ({ seconds: 0, specs: [] }));
  for (const name of specs.toSorted((one, other) => secondsOf(other) - secondsOf(one))) {
    const least = parts.reduce((found, part) => (part.seconds < found.seconds ? part : found));
    least.specs.push(name);
    least.seconds += secondsOf(name);
  }
  return parts.map((part) => part.specs);
}

/** The specs in `test` whose path passes. */
export function specsIn(passes) {
  return readdirSync('test', { recursive: true })
    .filter((name) => name.endsWith('.spec.ts') && passes(name))
    .sort();
}
