// Results as tables for people: in columns on a terminal, and in Markdown for a README.

const TITLES = {
  get: 'GET one',
  list: 'list 50',
  patch: 'PATCH with If-Match',
  post: 'POST',
  unchanged: 'GET, 304',
  stale: 'PATCH, 412',
  'stale-first': 'PATCH, first 412',
  events: '100 events',
};

export function titleOf(operation) {
  return TITLES[operation];
}

export function plainTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) => row.map((cell, column) => pad(cell, widths[column], column)).join('  ')).join('\n');
}

function pad(cell, width, column) {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

function markdownTable(rows) {
  const [head, ...body] = rows.map((row) => `| ${row.join(' | ')} |`);
  const rule = `|${rows[0].map((_, column) => (column === 0 ? '---' : '---:')).join('|')}|`;
  return [head, rule, ...body].join('\n');
}

const number = (value, digits = 0) => (value === undefined || Number.isNaN(value) ? '' : value.toFixed(digits));

/** Everything about one operation, a contender a row. */
export function operationTable(operation, medians, titles) {
  const rows = Object.entries(medians)
    .filter(([, byOperation]) => byOperation[operation] !== undefined)
    .map(([name, byOperation]) => {
      const result = byOperation[operation];
      return [
        titles[name],
        number(result.requestsPerSecond),
        number(result.p50, 2),
        number(result.p99, 2),
        number(result.serverCpu, 3),
        number(result.databaseCpu, 3),
        number(result.rss),
        number(result.errorStatuses + result.connectionErrors),
      ];
    });
  const head = [TITLES[operation], 'requests/s', 'p50 ms', 'p99 ms', 'CPU s/1000', 'DB CPU s/1000', 'RSS MB', 'errors'];
  return plainTable([head, ...rows]);
}

export function targetTable(verdicts) {
  return plainTable([
    ['Waybill against', 'operation', 'must reach', 'is', ''],
    ...verdicts.map(({ operation, against, demand, ratio, reached }) => [
      against,
      TITLES[operation] ?? operation,
      demand,
      number(ratio, 2),
      reached ? 'reached' : 'NOT REACHED',
    ]),
  ]);
}

/** Requests per second and, in brackets, CPU seconds of the server per 1,000 requests. */
export function markdownResults(medians, titles, operations) {
  const cell = (result) => {
    if (result === undefined) return '';
    const cpu = result.serverCpu === undefined ? '' : ` (${number(result.serverCpu, 2)})`;
    return `${number(result.requestsPerSecond)}${cpu}`;
  };
  return markdownTable([
    ['requests/s (CPU s per 1,000)', ...operations.map(titleOf)],
    ...Object.entries(medians).map(([name, byOperation]) => [
      titles[name],
      ...operations.map((operation) => cell(byOperation[operation])),
    ]),
  ]);
}
