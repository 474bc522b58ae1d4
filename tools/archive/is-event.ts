import type { Client } from 'pg';

/**
 * Whether the entry `h` is an event of this database. Its position alone does not tell: an entry of another database, or one that was written while
 * the sequence of positions was behind, can have the position of another event.
 */
const IS_EVENT = `EXISTS (
  SELECT FROM events e WHERE e.position = h.position AND e.root_id = h.root_id AND e.record_id = h.record_id
    AND e.moment = h.changed_at AND e.type = h.record_kind || '.' || h.type
)`;

/** How many entries of a month are not events. */
export async function entriesWithoutEvent(client: Client, partition: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${partition} h WHERE NOT ${IS_EVENT}`);
  return Number(rows[0]?.count);
}
