import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { applyErasures } from '../erase/apply-erasures.js';
import { keepErasuresOut } from '../erase/erase.js';
import { restoreDeletions } from './deletions.js';
import { entriesWithoutEvent } from './is-event.js';
import { Month } from './month.js';
import type { MonthFile } from './month-file.js';

const COLUMN = /^[a-z_]+$/;

const UNIQUE_VIOLATION = '23505';

/**
 * An entry that was never an event of this database belongs to another one, or to what was written after the backup from which this one was
 * restored. It would become a new event about a record that does not exist, and its position can be ahead of those that are still drawn.
 */
async function requireEvents(client: Client, month: Month, entries: number): Promise<void> {
  const foreign = await entriesWithoutEvent(client, month.partition);
  if (foreign === 0) return;
  throw new Error(
    `${foreign} of ${entries} entries of ${month.toString()} are not events of this database. The file was archived from another database, ` +
      'or after the backup from which this one was restored. Nothing was restored.',
  );
}

/** A month may have entries that were written after it was archived. They must be events before the file is compared with the events. */
async function requireNumbers(client: Client, month: Month): Promise<void> {
  if ((await entriesWithoutEvent(client, month.partition)) === 0) return;
  throw new Error(
    `History has entries of ${month.toString()} that are not events yet. Run the service until waybill_events_unnumbered_age_seconds is 0, then try again.`,
  );
}

/** Restores an archived month, all or nothing. Applies erasures made since. */
export async function restore(client: Client, file: MonthFile, say: (line: string) => void): Promise<number> {
  const { month: written, columns, rows, deletions } = await file.verified();
  const month = Month.parse(written);
  if (!columns.every((column) => COLUMN.test(column)))
    throw new Error(`${file.manifestPath} does not list columns of history`);
  // In a separate transaction, because it blocks readers until it ends, and the copy may take long.
  await client.query('SELECT prepare_history($1, $1)', [month.firstMoment]);
  await client.query('BEGIN');
  try {
    await keepErasuresOut(client);
    await client.query(`LOCK TABLE ${month.partition} IN SHARE ROW EXCLUSIVE MODE`);
    await requireNumbers(client, month);
    say(`${written}: reading ${rows} entries from ${file.path}`);
    const copy = client.query(copyFrom(`COPY ${month.partition} (${columns.join(', ')}) FROM STDIN`));
    await pipeline(file.read(), copy).catch((error: unknown) => {
      if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
      throw new Error(`History already has entries of ${written} that are in the file. Nothing was restored.`);
    });
    if (copy.rowCount !== rows) throw new Error(`Expected ${rows} entries, but got ${copy.rowCount}`);
    await requireEvents(client, month, rows);
    if (deletions !== undefined) await restoreDeletions(client, file, deletions);
    const erased = await applyErasures(client, month.partition);
    if (erased > 0)
      say(`${written}: ${erased} entries contained data that was erased after archiving; erased it again`);
    await client.query('COMMIT');
    return rows;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
