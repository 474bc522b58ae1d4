// How PostgreSQL carries a statement out: which scans, how many rows they look at, how many pages they touch.

/** A list of 50 looks at 51 rows. Twenty times as many are no longer the cost of its answer. */
const ROWS_WORTH_A_WORD = 1000;

/** PostgreSQL plans a prepared statement for its values at first, and later perhaps once for all values. */
const PLAN_MODES = ['force_custom_plan', 'force_generic_plan'];

/** @param {import('../database.mjs').BenchDatabase} database */
export async function explain(database, { text, values }) {
  const plans = {};
  for (const mode of PLAN_MODES) plans[mode] = await explainOnce(database, text, values, mode);
  return plans;
}

async function explainOnce(database, text, values, mode) {
  const literals = values.map((value) => (value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`));
  const call = literals.length > 0 ? `(${literals.join(', ')})` : '';
  await database.query('BEGIN');
  try {
    await database.query(`SET LOCAL plan_cache_mode = ${mode}`);
    await database.query(`PREPARE bench_statement AS ${text}`);
    const [row] = await database.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE bench_statement${call}`);
    return summary(row['QUERY PLAN'][0]);
  } finally {
    await database.query('ROLLBACK');
    await database.query('DEALLOCATE ALL');
  }
}

function summary({ Plan: plan, 'Execution Time': executionMs, 'Planning Time': planningMs }) {
  const nodes = [...nodesOf(plan)];
  const scans = nodes.filter((node) => node['Relation Name'] !== undefined && node['Node Type'].endsWith('Scan'));
  return {
    executionMs,
    planningMs,
    pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    scans: [...new Set(scans.map(scanName))],
    rowsLookedAt: Math.max(0, ...nodes.map(rowsLookedAt)),
    // The planner does not bother with an index on an empty partition.
    sequential: scans.some((node) => node['Node Type'] === 'Seq Scan' && rowsLookedAt(node) > 0),
    sortedRows: Math.max(0, ...nodes.filter((node) => /Sort$/.test(node['Node Type'])).map(rowsSorted)),
  };
}

function* nodesOf(node) {
  yield node;
  for (const child of node.Plans ?? []) yield* nodesOf(child);
}

function scanName(node) {
  return [node['Node Type'], node['Index Name'] ?? node['Relation Name']].join(' on ');
}

function rowsLookedAt(node) {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return (node['Actual Rows'] + removed) * node['Actual Loops'];
}

function rowsSorted(node) {
  return (node.Plans ?? []).reduce((sum, child) => sum + child['Actual Rows'] * child['Actual Loops'], 0);
}

/** Why a plan will get slower as the table grows; undefined when it will not. */
export function complaint({ sequential, rowsLookedAt: rows, sortedRows }) {
  const reasons = [
    sequential && 'reads a whole table',
    rows > ROWS_WORTH_A_WORD && `looks at ${Math.round(rows)} rows`,
    sortedRows > ROWS_WORTH_A_WORD && `sorts ${Math.round(sortedRows)} rows`,
  ].filter(Boolean);
  return reasons.length > 0 ? reasons.join(', ') : undefined;
}
