import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { applyErasures } from '../erase/apply-erasures.js';
import { Month } from './month.js';
import type { MonthFile } from './month-file.js';

const COLUMN = /^[a-z_]+$/;

/** Restores an archived month, all or nothing. Applies erasures made since. */
export async function restore(client: Client, file: MonthFile, say: (line: string) => void): Promise<number> {
  const { month: written, columns, rows } = await file.verified();
  const month = Month.parse(written);
  if (!columns.every((column) => COLUMN.test(column)))
    throw new Error(`${file.manifestPath} does not list columns of history`);
  // In a separate transaction, because it blocks readers until it ends, and the copy may take long.
  await client.query('SELECT prepare_history($1, $1)', [month.firstMoment]);
  await client.query('BEGIN');
  try {
    await client.query(`LOCK TABLE ${month.partition} IN SHARE ROW EXCLUSIVE MODE`);
    const { rowCount } = await client.query(`SELECT FROM ${month.partition} LIMIT 1`);
    if (rowCount !== 0) throw new Error(`History already has entries of ${written}. Nothing was restored.`);
    say(`${written}: reading ${rows} entries from ${file.path}`);
    const copy = client.query(copyFrom(`COPY ${month.partition} (${columns.join(', ')}) FROM STDIN`));
    await pipeline(file.read(), copy);
    if (copy.rowCount !== rows) throw new Error(`Expected ${rows} entries, but got ${copy.rowCount}`);
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
