// The targets of Waybill against the other contenders, in the same run.
import { OPERATIONS } from './load.mjs';

const OURS = 'waybill';
export const HOT_ROWS = { rows: 10, connections: 256, mostP99OverP50: 6 };

const TARGETS = [
  { operation: 'get', against: 'express', least: 1.25 },
  { operation: 'list', against: 'express', least: 1.35 },
  { operation: 'patch', against: 'express', least: 1.0 },
  { operation: 'post', against: 'express', least: 1.1 },
  { operation: 'patch', against: 'bare-http', least: 0.85 },
  { operation: 'patch', against: 'express', figure: 'databaseCpu', most: 1.1 },
  ...OPERATIONS.map((operation) => ({ operation, against: 'express-deployed', least: 1.0 })),
  ...OPERATIONS.map((operation) => ({ operation, against: 'express', figure: 'p99', most: 1.2 })),
  ...OPERATIONS.map((operation) => ({ operation, against: 'by-the-book', figure: 'serverCpu', most: 0.4 })),
  { operation: 'stale', against: OURS, of: 'get', least: 0.4 },
];

const FIGURES = { requestsPerSecond: 'requests', serverCpu: 'CPU', databaseCpu: 'PostgreSQL CPU', p99: 'p99' };

/**
 * Each target whose two contenders were measured, with its ratio.
 * @param {Record<string, Record<string, Record<string, number>>>} medians by contender, operation and figure
 */
export function judge(medians) {
  return TARGETS.flatMap(({ operation, against, of = operation, figure = 'requestsPerSecond', least, most }) => {
    const ours = medians[OURS]?.[operation];
    const theirs = medians[against]?.[of];
    if (ours === undefined || theirs === undefined) return [];
    const ratio = ours[figure] / theirs[figure];
    const reached = least === undefined ? ratio <= most : ratio >= least;
    const demand = `${FIGURES[figure]} ${least === undefined ? `<= ${most}` : `>= ${least}`}`;
    const name = `${figure}.${operation}.${against === OURS ? of : against}`;
    return [{ name, operation, against: against === OURS ? `its own ${of}` : against, demand, ratio, reached }];
  });
}

export function judgeHotRows(result) {
  const strange = Object.keys(result.statuses ?? {}).filter((status) => !['200', '412'].includes(status));
  const ratio = result.p99 / result.p50;
  const { connections, rows, mostP99OverP50 } = HOT_ROWS;
  return {
    name: 'p99.hot.p50',
    operation: `PATCH, ${connections} conn., ${rows} rows`,
    against: 'itself',
    demand: `p99 <= ${mostP99OverP50} x p50, only 412`,
    ratio,
    reached: strange.length === 0 && result.connectionErrors === 0 && ratio <= mostP99OverP50,
  };
}
