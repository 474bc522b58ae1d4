// Load for many minutes: does the memory of the service stop growing?
import { plainTable } from './tables.mjs';
import { OPERATIONS } from './load.mjs';
import { SOAK_TOLERANCE } from './targets.mjs';

const SLICE_SECONDS = 10;
const SLICES_A_MINUTE = 60 / SLICE_SECONDS;

/** All operations in turn, a slice each; the resident memory is read after each slice. */
export async function soak(load, contender, minutes, say) {
  const samples = [];
  for (let slice = 0; slice < minutes * SLICES_A_MINUTE; slice++) {
    const operation = OPERATIONS[slice % OPERATIONS.length];
    const { rss, requests, errorStatuses, connectionErrors } = await load.measure(contender, operation, SLICE_SECONDS);
    const errors = errorStatuses + connectionErrors;
    samples.push({ second: (slice + 1) * SLICE_SECONDS, operation, requests, rss, errors });
    say(`${String((slice + 1) * SLICE_SECONDS).padStart(5)} s  ${operation.padEnd(5)}  ${rss.toFixed(1)} MB`);
  }
  return { samples, ...verdict(samples) };
}

/** The second minute against the last one, each by its largest value: a collection just before a sample proves nothing. */
function verdict(samples) {
  const peak = (part) => Math.max(...part.map(({ rss }) => rss));
  const early = peak(samples.slice(SLICES_A_MINUTE, 2 * SLICES_A_MINUTE));
  const late = peak(samples.slice(-SLICES_A_MINUTE));
  const ratio = late / early;
  return { early, late, ratio, reached: ratio <= 1 + SOAK_TOLERANCE };
}

export function soakTable({ samples, early, late, ratio, reached }) {
  const errors = samples.reduce((sum, sample) => sum + sample.errors, 0);
  return plainTable([
    ['RSS', 'second minute MB', 'last minute MB', 'ratio', 'errors', ''],
    [
      'Waybill',
      early.toFixed(1),
      late.toFixed(1),
      ratio.toFixed(3),
      String(errors),
      reached ? 'reached' : 'NOT REACHED',
    ],
  ]);
}
