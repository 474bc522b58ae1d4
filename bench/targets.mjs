// What Waybill must reach beside the other contenders, in the same run.
import { OPERATIONS } from './load.mjs';

const OURS = 'waybill';
export const HOT_ROWS = { rows: 10, connections: 256, mostP99OverP50: 6 };
/** Memory may breathe: what counts as growth is more than this share. */
export const SOAK_TOLERANCE = 0.05;

const TARGETS = [
  { operation: 'get', against: 'express', least: 1.4 },
  { operation: 'list', against: 'express', least: 1.15 },
  { operation: 'patch', against: 'express', least: 1.1 },
  { operation: 'post', against: 'express', least: 1.1 },
  { operation: 'get', against: 'bare-http', least: 0.8 },
  { operation: 'patch', against: 'bare-http', least: 0.75 },
  ...OPERATIONS.map((operation) => ({ operation, against: 'by-the-book', mostCpu: 0.4 })),
  ...OPERATIONS.map((operation) => ({ operation, against: 'loopback', least: 1.3 })),
];

/**
 * Each target whose two contenders were measured, with its ratio.
 * @param {Record<string, Record<string, { requestsPerSecond: number, serverCpu: number }>>} medians by contender and operation
 */
export function judge(medians) {
  return TARGETS.flatMap(({ operation, against, least, mostCpu }) => {
    const ours = medians[OURS]?.[operation];
    const theirs = medians[against]?.[operation];
    if (ours === undefined || theirs === undefined) return [];
    const measure = least === undefined ? 'serverCpu' : 'requestsPerSecond';
    const ratio = ours[measure] / theirs[measure];
    const reached = least === undefined ? ratio <= mostCpu : ratio >= least;
    const demand = least === undefined ? `CPU <= ${mostCpu}` : `requests >= ${least}`;
    return [{ operation, against, demand, ratio, reached }];
  });
}

export function judgeHotRows(result) {
  const strange = Object.keys(result.statuses ?? {}).filter((status) => !['200', '412'].includes(status));
  const ratio = result.p99 / result.p50;
  const reached = strange.length === 0 && result.connectionErrors === 0 && ratio <= HOT_ROWS.mostP99OverP50;
  return { ratio, reached };
}
