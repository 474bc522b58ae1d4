import { readdirSync, readFileSync } from 'node:fs';

/**
 * Jest loads the 1,800 modules of the service and its packages anew for each file, which takes longer than most specs do. So a run of
 * all specs puts those that load the service into a few files, each under its name; `test/together/run-part.ts` runs them. All others
 * run by themselves.
 */
const LOADS_SERVICE =
  /from '[./]*(src\/app\.setup|support\/(service|service-role|numbering-world|released-schema)|suite|target|world|harness|conflict-stage)\.js'/;

/** The part of a configuration that runs these specs so; the longest are dealt out first, so that no part gets most of them. */
export function inParts(parts, specs, longest) {
  const together = specs.filter((name) => LOADS_SERVICE.test(readFileSync(`test/${name}`, 'utf8')));
  const alone = specs.filter((name) => !together.includes(name));
  const long = longest.filter((name) => together.includes(name));
  const short = together.filter((name) => !longest.includes(name));
  return {
    testMatch: [`<rootDir>/test/together/part-[0-${parts - 1}].ts`, ...alone.map((name) => `<rootDir>/test/${name}`)],
    globals: { PARTS: parts, SPECS_TOGETHER: [...long, ...short] },
    testSequencer: '<rootDir>/test/together/parts-first.mjs',
  };
}

/** The specs in `test` whose path passes. */
export function specsIn(passes) {
  return readdirSync('test', { recursive: true })
    .filter((name) => name.endsWith('.spec.ts') && passes(name))
    .sort();
}
