import type { AcceptedWrite } from './load.js';
import type { PostgresServer } from '../database/postgres-server.js';

/** The accepted writes that do not have exactly one history entry with the returned version. */
export async function notThereOnce(
  server: PostgresServer,
  accepted: readonly AcceptedWrite[],
  database = 'postgres',
): Promise<AcceptedWrite[]> {
  const rows = await server.sql<{ mark: string | null; id: string; e_tag: string }>(
    `
    SELECT coalesce(record->>'customer_remarks', record->>'order_id') AS mark, record_id AS id, encode(e_tag, 'hex') AS e_tag
    FROM history WHERE type IN ('created', 'updated') AND record_kind IN ('move', 'shipment')`,
    [],
    database,
  );
  const entries = new Map<string, string[]>();
  for (const { mark, id, e_tag } of rows) {
    if (mark !== null) entries.set(mark, [...(entries.get(mark) ?? []), `${id} ${e_tag}`]);
  }
  return accepted.filter(({ mark, id, eTag }) => {
    const found = entries.get(mark) ?? [];
    return found.length !== 1 || found[0] !== `${id} ${eTag}`;
  });
}

/** The service's connections that are in a transaction although no request is running. */
export async function openTransactions(server: PostgresServer): Promise<number> {
  const [row] = await server.sql<{ open: number }>(`
    SELECT count(*)::int AS open FROM pg_stat_activity WHERE application_name = 'waybill' AND xact_start IS NOT NULL`);
  return row?.open ?? -1;
}
