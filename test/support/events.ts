import type { Client } from 'pg';
import { eventually } from './eventually.js';

/** Waits until every entry of history is an event. */
export async function allNumbered(sql: Client): Promise<void> {
  const left =
    'SELECT FROM history h WHERE position > 0 AND NOT EXISTS (SELECT FROM events e WHERE e.position = h.position)';
  await eventually(async () => (await sql.query(left)).rowCount === 0, 30_000, 'all entries are numbered');
}
