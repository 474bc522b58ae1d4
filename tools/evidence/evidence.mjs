// The files of docs/evidence, and what a release lacks of them.
import { existsSync, readFileSync } from 'node:fs';
import { PLAN } from './plan.mjs';
import { sources } from './sources.mjs';

/** A run that is not planned is a trial, which stays out of the repository. */
export function fileOf(name, failed) {
  const folder = PLAN.some((each) => each.name === name) ? 'docs/evidence' : 'bench/results';
  return `${folder}/${name}${failed ? '.failed' : ''}.json`;
}

/** The evidence of the last run that passed, or that failed since. */
export function evidenceOf(name, failed) {
  const path = fileOf(name, failed);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

/** What is wrong with the evidence of each planned run: `undefined` if nothing is. */
export function stateOfAll(now = sources()) {
  return PLAN.map((planned) => {
    const [passed, failed] = [evidenceOf(planned.name), evidenceOf(planned.name, 'failed')];
    return { ...planned, evidence: passed, lacks: whatLacks(planned, passed, failed, now) };
  });
}

export function whatLacks({ least, of }, passed, failed, now) {
  if (failed !== undefined) return `failed on ${failed.date.slice(0, 10)}: ${failed.failed[0]}`;
  if (passed === undefined) return 'missing';
  if (passed.changed !== false) return `of ${nameOf(passed)} with local changes`;
  const few = Object.keys(least).find((figure) => !(passed.figures[figure] >= least[figure]));
  if (few !== undefined) return `only ${passed.figures[few]} of ${least[few]} ${few}`;
  const different = of.filter((folder) => passed.trees[folder] !== now?.trees[folder]);
  if (different.length > 0) return `stale: of ${nameOf(passed)}, before changes in ${different.join(', ')}`;
  return undefined;
}

/** For a release, which needs all evidence: the planned runs that have to be made, with the reason. */
export function missingEvidence() {
  return stateOfAll().flatMap(({ name, lacks }) => (lacks === undefined ? [] : [`${name}: ${lacks}`]));
}

export function nameOf({ commit = 'an unknown commit', date }) {
  return `${commit.slice(0, 8)} on ${date.slice(0, 10)}`;
}
