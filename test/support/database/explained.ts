import { escapeLiteral, type Client } from 'pg';
import { queriesDuring, type Sent } from './queries.js';

/** How PostgreSQL executed a statement. */
export interface Execution {
  /** The maximum number of rows that a plan node read. */
  readonly rows: number;
  /** Tables that were scanned sequentially. */
  readonly readWhole: readonly string[];
  readonly pages: number;
}

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Node[];
}

/** The statements on tables that the service sends while `work` runs. */
export async function sentDuring(work: () => Promise<unknown>): Promise<Sent[]> {
  return (await queriesDuring(work)).filter(({ text }) => /^\s*(SELECT|UPDATE|DELETE|WITH)/.test(text));
}

/** A prepared statement can get a custom or a generic plan; both must be good. */
export const PLAN_MODES = ['force_custom_plan', 'force_generic_plan'] as const;

/** Executes a statement again and rolls it back. */
export async function explain(
  sql: Client,
  { text, values }: Sent,
  mode: (typeof PLAN_MODES)[number],
): Promise<Execution> {
  const call = values.length > 0 ? `(${values.map(literal).join(', ')})` : '';
  await sql.query(`BEGIN; SET LOCAL plan_cache_mode = ${mode}`);
  try {
    await sql.query(`PREPARE explained AS ${text}`);
    const { rows } = await sql.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE explained${call}`,
    );
    const [row] = rows;
    if (row === undefined) throw new Error('There is no plan');
    return execution(row['QUERY PLAN'][0].Plan);
  } finally {
    await sql.query('ROLLBACK; DEALLOCATE ALL');
  }
}

function execution(plan: Node): Execution {
  const nodes = [...nodesOf(plan)];
  // The planner ignores indexes on empty partitions.
  const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan' && rowsOf(node) > 0);
  return {
    rows: Math.max(...nodes.map(rowsOf)),
    readWhole: whole.map((node) => node['Relation Name'] ?? ''),
    pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
  };
}

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const child of node.Plans ?? []) yield* nodesOf(child);
}

function rowsOf(node: Node): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return (node['Actual Rows'] + removed) * node['Actual Loops'];
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (Array.isArray(value)) return escapeLiteral(`{${value.map((each) => JSON.stringify(written(each))).join()}}`);
  return escapeLiteral(written(value));
}

function written(value: unknown): string {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
