import { mkdir } from 'node:fs/promises';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { moveDeletionsOut } from './deletions.js';
import { entriesWithoutEvent } from './is-event.js';
import { Month } from './month.js';
import { MonthFile } from './month-file.js';
import { withShortLocks } from './short-locks.js';

export interface ArchiveOrder {
  readonly before: Month;
  readonly folder: string;
  readonly dryRun: boolean;
  readonly say: (line: string) => void;
}

interface Partition {
  readonly table: string;
  readonly month: Month;
  readonly bytes: string;
}

/** Moves whole months of history into files, oldest first, each in its own transaction. Returns how many it moved. */
export async function archive(client: Client, { before, folder, dryRun, say }: ArchiveOrder): Promise<number> {
  if (!before.isBefore(Month.current())) {
    throw new Error(`--before must be a past month; ${before.toString()} is not`);
  }
  const partitions = (await monthsOf(client)).filter(({ month }) => month.isBefore(before));
  if (partitions.length === 0) say(`History has no month before ${before.toString()}.`);
  if (!dryRun) await mkdir(folder, { recursive: true });
  for (const { table, month, bytes } of partitions) {
    const file = MonthFile.in(folder, table);
    if (dryRun) {
      say(`${month.toString()}: ${await countOf(client, table)} entries, ${bytes}, would be moved to ${file.path}`);
      continue;
    }
    say(`${month.toString()}: ${bytes}, writing ${file.path}`);
    const rows = await moveOut(client, table, month, file);
    say(
      rows === 0
        ? `${month.toString()}: no entries, so no file was written`
        : `${month.toString()}: ${rows} entries written, read back and removed from the database`,
    );
  }
  return dryRun ? 0 : partitions.length;
}

async function monthsOf(client: Client): Promise<Partition[]> {
  const { rows } = await client.query<{ table: string; bytes: string }>(`
    SELECT relname AS table, pg_size_pretty(pg_total_relation_size(oid)) AS bytes FROM pg_class
    WHERE oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'history'::regclass) ORDER BY relname`);
  return rows.flatMap(({ table, bytes }) => {
    const month = Month.ofPartition(table);
    return month === undefined ? [] : [{ table, month, bytes }];
  });
}

async function countOf(client: Client, table: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${table}`);
  return Number(rows[0]?.count);
}

/** While the lock is held, nothing can be added to the month, so the file is complete when the table is dropped. */
async function moveOut(client: Client, table: string, month: Month, file: MonthFile): Promise<number> {
  await client.query('BEGIN');
  try {
    await client.query(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
    await requireNumbers(client, table, month);
    await requireDeliveries(client, table, month);
    const stored = await countOf(client, table);
    // A restore that was rejected leaves its month empty. The folder may have the file of that month.
    if (stored > 0) await writeFile(client, { table, month, stored }, file);
    // DETACH CONCURRENTLY does not work with a default partition.
    await withShortLocks(client, `ALTER TABLE history DETACH PARTITION ${table}`);
    await client.query(`DROP TABLE ${table}`);
    await client.query('COMMIT');
    return stored;
  } catch (error) {
    await client.query('ROLLBACK');
    await file.discardDraft();
    throw error;
  }
}

/** Equal entries make equal files, whatever the settings of the session: dates in another style could be read as other dates. */
async function writeFile(
  client: Client,
  { table, month, stored }: { table: string; month: Month; stored: number },
  file: MonthFile,
): Promise<void> {
  await client.query(`SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'`);
  const columns = await columnsOf(client, table);
  const copy = copyTo(`COPY (SELECT ${columns.join(', ')} FROM ${table} ORDER BY position) TO STDOUT`);
  const { rows, sha256 } = await file.write(client.query(copy));
  if (rows !== stored) throw new Error(`${table} has ${stored} entries, but ${rows} were written`);
  const deletions = await moveDeletionsOut(client, month, file);
  await file.keep({ month: month.toString(), columns, rows, sha256, deletions });
}

/** An entry that is archived before it is an event would never become one, and could not be restored. */
async function requireNumbers(client: Client, table: string, month: Month): Promise<void> {
  if ((await entriesWithoutEvent(client, table)) === 0) return;
  throw new Error(
    `${month.toString()} has entries that are not events yet. Run the service until waybill_events_unnumbered_age_seconds is 0, ` +
      'then try again. If it is 0 already, "Repairing the feed" in docs/history.md makes them events.',
  );
}

/** A webhook cannot send an event whose entry is archived. One that is disabled does not keep the month: it may stay so for ever. */
async function requireDeliveries(client: Client, table: string, month: Month): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `WITH newest AS MATERIALIZED (
       SELECT max(number) AS number FROM events e JOIN ${table} h ON h.position = e.position
     )
     SELECT w.id FROM webhooks w JOIN webhook_progress p ON p.webhook_id = w.id
     WHERE w.enabled AND (
       p.position < (SELECT number FROM newest)
       OR EXISTS (
         SELECT FROM webhook_deliveries d JOIN events e ON e.number = d.event_number
         JOIN ${table} h ON h.root_id = e.root_id AND h.position = e.position AND h.changed_at = e.moment
         WHERE d.webhook_id = w.id AND d.state = 'pending'
       )
     ) ORDER BY w.id`,
  );
  if (rows.length === 0) return;
  throw new Error(
    `${month.toString()} has events that these webhooks have not delivered yet: ${rows.map(({ id }) => id).join(', ')}. Try again later, or disable these webhooks: they then give the events up.`,
  );
}

async function columnsOf(client: Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}
