import type { Client } from 'pg';
import { LOCK_OF_ROOT } from '../../src/records/deleted-records.js';
import { digestOf } from './erasure.js';
import type { ErasedEntry } from './markers.js';
import { ANONYMOUS } from '../../src/http/request-context.js';
import { ERASED } from './redaction.js';

const EMPTIED = 'record = NULL, erased = true';
const WITHOUT_AUTHOR = `deleted_by = '${ERASED}', subject = NULL, erased = true`;

/** Erases the last rows of a deleted record and its children. From then on they cannot be restored: an undelete takes the same lock. */
export async function emptyDeletions(client: Client, rootID: string, recordID: string): Promise<void> {
  await client.query(`SELECT ${LOCK_OF_ROOT} FROM (SELECT $1::uuid) AS root (id)`, [rootID]);
  await client.query(
    `UPDATE deletions SET ${EMPTIED} WHERE record IS NOT NULL AND (record_id = $2 OR ($1 = $2 AND root_id = $1))`,
    [rootID, recordID],
  );
}

/** Erases the author of these entries from the deletions among them. */
export async function eraseDeleters(client: Client, entries: readonly ErasedEntry[]): Promise<void> {
  const deleted = entries.filter(({ type }) => type === 'deleted');
  await client.query(
    `UPDATE deletions d SET ${WITHOUT_AUTHOR} FROM unnest($1::uuid[], $2::bigint[]) AS entry (record_id, position)
     WHERE d.record_id = entry.record_id AND d.position = entry.position`,
    [deleted.map(({ id }) => id), deleted.map(({ position }) => position)],
  );
}

const SUBJECT = 'coalesce(d.subject, d.deleted_by)';

/** Applies all recorded erasures to deletions that are being restored. */
export async function eraseRestoredDeletions(client: Client, table: string): Promise<void> {
  await client.query(
    `UPDATE ${table} d SET ${EMPTIED} FROM erasures e
     WHERE d.record IS NOT NULL AND e.record_id IN (d.root_id, d.record_id) AND d.position <= e.until_position`,
  );
  await client.query(
    `UPDATE ${table} d SET ${WITHOUT_AUTHOR} FROM erasures e
     WHERE d.position <= e.until_position AND (
       e.subject_digest = ${digestOf('e.subject_salt', SUBJECT)}
       OR (${SUBJECT} = '${ANONYMOUS.subject}' AND e.name_digest = ${digestOf('e.subject_salt', 'd.deleted_by')})
     )`,
  );
}
