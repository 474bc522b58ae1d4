import type { Client } from 'pg';
import { eventually } from '../races/eventually.js';

/** Long enough on any machine; only a failing test waits this long. */
const PATIENCE_MS = 30_000;

/**
 * Counts the service's connections to the database of `sql` that match a condition on pg_stat_activity. Within a transaction PostgreSQL
 * caches these statistics, unless the snapshot is cleared.
 */
async function connections(sql: Client, condition: string): Promise<number> {
  await sql.query('SELECT pg_stat_clear_snapshot()');
  const { rows } = await sql.query<{ count: number }>(`
    SELECT count(*)::int FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'waybill' AND ${condition}`);
  return rows[0]?.count ?? -1;
}

/** Resolves when this many of the service's connections wait for a lock, such as one that the test holds. */
export async function untilBlocked(sql: Client, count = 1): Promise<void> {
  const isSo = async () => (await connections(sql, `wait_event_type = 'Lock'`)) === count;
  await eventually(isSo, PATIENCE_MS, `${count} connections wait for a lock`);
}

/** Whether any connection waits for a lock that the connection of `sql` holds. */
export async function isBlocking(sql: Client): Promise<boolean> {
  const { rowCount } = await sql.query(
    'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))',
  );
  return rowCount !== 0;
}

/** Resolves when a connection waits for a lock that the connection of `sql` holds. */
export async function untilBlocking(sql: Client): Promise<void> {
  await eventually(() => isBlocking(sql), PATIENCE_MS, 'a connection waits for a lock');
}

/** Resolves when none of the service's connections is in a transaction; fails if one stays in it. */
export async function untilNoTransaction(sql: Client): Promise<void> {
  const isSo = async () => (await connections(sql, 'xact_start IS NOT NULL')) === 0;
  await eventually(isSo, PATIENCE_MS, 'no transaction is open');
}
