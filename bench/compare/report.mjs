// Medians and pairwise ratios: a ratio is the median of the rounds' ratios, because a round has both sides at about the same time.
import { plainTable } from '../tables.mjs';
import { median } from '../../tools/evidence/measured.mjs';
import { mapValues } from '../map-values.mjs';
import { OPERATIONS } from './operations.mjs';

const FIGURES = ['service', 'postgres', 'both'];

/**
 * @param {Record<string, Record<string, { service: number, postgres: number, both: number }[]>>} rounds
 *   CPU in milliseconds per request, by side and operation
 */
export function summarize(rounds) {
  const [ours, ...others] = Object.keys(rounds);
  return {
    medians: mapValues(rounds, (byOperation) => mapValues(byOperation, medianOf)),
    ratios: Object.fromEntries(others.map((name) => [name, ratiosOf(rounds[ours], rounds[name])])),
    staleOfTwoGets: mapValues(rounds, ({ stale, get }) => {
      return stale && get && median(stale.map(({ both }, round) => both / (2 * get[round].both)));
    }),
  };
}

function medianOf(results) {
  return Object.fromEntries(FIGURES.map((figure) => [figure, median(results.map((result) => result[figure]))]));
}

/** For operations that both have. */
function ratiosOf(ours, theirs) {
  return mapValues(theirs, (results, operation) => {
    const of = (figure) => results.map((result, round) => ours[operation][round][figure] / result[figure]);
    const both = of('both');
    const range = { least: Math.min(...both), most: Math.max(...both) };
    return { service: median(of('service')), postgres: median(of('postgres')), both: median(both), ...range };
  });
}

export function reportTo(say, { medians, ratios, staleOfTwoGets }, titles) {
  const [ours] = Object.keys(medians);
  for (const [name, byOperation] of Object.entries(ratios)) {
    say(`\nCPU in ms per request: service + PostgreSQL, and ${titles[ours]} / ${titles[name]}\n`);
    const head = ['', titles[ours], titles[name], 'service', 'PostgreSQL', 'both', 'least', 'most'];
    const rows = Object.entries(byOperation).map(([operation, ratio]) => [
      OPERATIONS[operation].title,
      shown(medians[ours][operation]),
      shown(medians[name][operation]),
      ...['service', 'postgres', 'both', 'least', 'most'].map((figure) => ratio[figure].toFixed(2)),
    ]);
    say(plainTable([head, ...rows]));
  }
  for (const [name, ratio] of Object.entries(staleOfTwoGets)) {
    if (ratio !== undefined) say(`\n412 of a version just replaced / two GETs, ${titles[name]}: ${ratio.toFixed(2)}`);
  }
}

function shown({ service, postgres }) {
  return [service, postgres].map((milliseconds) => milliseconds.toFixed(milliseconds < 100 ? 3 : 0)).join(' + ');
}
