import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { eraseRestoredDeletions } from '../erase/deletions.js';
import type { Month } from './month.js';
import { withShortLocks } from './short-locks.js';
import { MonthFile, type Content } from './month-file.js';

const COLUMNS = [
  'record_id',
  'record_kind',
  'root_id',
  'move_id',
  'code',
  'position',
  'transaction_id',
  'is_cascade',
  'record',
  'deleted_by',
  'subject',
  'request_id',
  'deleted_at',
  'erased',
];

/**
 * Deletions `d` of a month, as a condition. What the deletion of a shipment took along belongs to the month of the shipment, because an undelete
 * brings it back with the shipment: it may have begun in the last moments of a month, or the version of a record may be ahead of the clock.
 */
function ofMonth(month: Month): string {
  return `date_trunc('month', coalesce((
    SELECT max(shipment.deleted_at) FROM deletions shipment
    WHERE d.is_cascade AND shipment.record_id = d.root_id AND shipment.transaction_id = d.transaction_id
  ), d.deleted_at), 'UTC') = '${month.firstMoment}'`;
}

/** The file beside that of the month. */
function fileBeside(history: MonthFile): MonthFile {
  return history.beside('deletions');
}

/**
 * Moves the deletions of a month into a file. Returns its content; undefined if there are none. The rows are locked first, so that none is
 * undone after it was written.
 */
export async function moveDeletionsOut(client: Client, month: Month, history: MonthFile): Promise<Content | undefined> {
  const { rowCount } = await withShortLocks(client, `SELECT FROM deletions d WHERE ${ofMonth(month)} FOR UPDATE`);
  if (rowCount === 0 || rowCount === null) return undefined;
  const file = fileBeside(history);
  const copy = copyTo(
    `COPY (SELECT ${COLUMNS.join(', ')} FROM deletions d WHERE ${ofMonth(month)} ORDER BY position) TO STDOUT`,
  );
  const content = await file.write(client.query(copy));
  if (content.rows !== rowCount)
    throw new Error(`${month.toString()} has ${rowCount} deletions, but ${content.rows} were written`);
  await file.keep({ month: month.toString(), columns: COLUMNS, ...content });
  await client.query(`DELETE FROM deletions d WHERE ${ofMonth(month)}`);
  return content;
}

/**
 * Restores the deletions of a month, in the same transaction. Leaves out those that are not the last change of their record: it was restored
 * before the month was archived. Applies erasures made since.
 */
export async function restoreDeletions(client: Client, history: MonthFile, expected: Content): Promise<void> {
  const file = fileBeside(history);
  const { columns, rows, sha256 } = await file.verified();
  if (rows !== expected.rows || sha256 !== expected.sha256)
    throw new Error(`${file.path} does not belong to ${history.path}`);
  if (!columns.every((column) => COLUMNS.includes(column)))
    throw new Error(`${file.manifestPath} does not list columns of deletions`);
  await client.query('CREATE TEMPORARY TABLE restored_deletions (LIKE deletions INCLUDING DEFAULTS) ON COMMIT DROP');
  await pipeline(file.read(), client.query(copyFrom(`COPY restored_deletions (${columns.join(', ')}) FROM STDIN`)));
  await eraseRestoredDeletions(client, 'restored_deletions');
  await client.query(`
    INSERT INTO deletions SELECT d.* FROM restored_deletions d
    WHERE NOT EXISTS (
      SELECT FROM events later
      WHERE later.record_id = d.record_id AND later.position > d.position AND later.type <> later.kind || '.erased'
    ) AND NOT EXISTS (
      SELECT FROM history later WHERE later.record_id = d.record_id AND later.position > d.position AND later.type <> 'erased'
    )`);
}
