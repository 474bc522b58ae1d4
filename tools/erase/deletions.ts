import type { Client } from 'pg';
import { LOCK_OF_ROOT } from '../../src/records/deleted-records.js';
import { digestOf } from './erasure.js';
import { ANONYMOUS } from '../../src/http/request-context.js';
import { ERASED } from './redaction.js';

/** Whether the erasure of a record empties a deletion `d`: $1 is the root, $2 the record. */
const IS_ERASED = '(d.record_id = $2 OR ($1 = $2 AND d.root_id = $1))';
const EMPTIED = 'record = NULL, erased = true';
const WITHOUT_AUTHOR = `deleted_by = '${ERASED}', subject = NULL, erased = true`;

/** Erases the last rows of a deleted record and its children. From then on they cannot be restored: an undelete takes the same lock. */
export async function emptyDeletions(client: Client, rootID: string, recordID: string): Promise<void> {
  await client.query(`SELECT ${LOCK_OF_ROOT} FROM (SELECT $1::uuid) AS root (id)`, [rootID]);
  await client.query(`UPDATE deletions d SET ${EMPTIED} WHERE d.record IS NOT NULL AND ${IS_ERASED}`, [
    rootID,
    recordID,
  ]);
}

interface Ended {
  readonly kind: string;
  readonly name: string;
  readonly reason: 'ERASED' | 'PARENT_DELETED';
}

const MAX_NAMED = 20;

/**
 * Names the deletions that an erasure of a record leaves without a way back, each with the code of the problem that an undelete then has.
 * Undefined if there are none.
 */
export async function endedDeletions(client: Client, rootID: string, recordID: string): Promise<string | undefined> {
  const { rows } = await client.query<Ended>(
    `SELECT d.record_kind AS kind, coalesce(d.code, d.record_id::text) AS name, CASE WHEN ${IS_ERASED} THEN 'ERASED' ELSE 'PARENT_DELETED' END AS reason
     FROM deletions d
     WHERE ${IS_ERASED}
       OR (d.move_id = $2 AND EXISTS (SELECT FROM deletions move WHERE move.record_id = $2 AND move.record_kind = 'move'))
     ORDER BY d.root_id <> $1, d.root_id, d.record_id <> d.root_id, d.position LIMIT ${MAX_NAMED + 1}`,
    [rootID, recordID],
  );
  if (rows.length === 0) return undefined;
  const named = rows.slice(0, MAX_NAMED).map(({ kind, name, reason }) => `${kind} ${name} (${reason})`);
  return [...named, ...(rows.length > MAX_NAMED ? ['and more'] : [])].join(', ');
}

/**
 * Erases the author of at most `limit` deletions up to a position, and returns their number. Their entries may be archived. `isAuthor` is the
 * condition for an entry `h`.
 */
export async function eraseDeleters(client: Client, isAuthor: string, until: string, limit: number): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE deletions d SET ${WITHOUT_AUTHOR} FROM (
       SELECT h.record_id, h.position FROM (SELECT *, deleted_by AS changed_by FROM deletions) h
       WHERE ${isAuthor} AND h.deleted_by <> '${ERASED}' AND h.position <= $1 ORDER BY h.position LIMIT $2 FOR UPDATE
     ) batch
     WHERE d.record_id = batch.record_id AND d.position = batch.position`,
    [until, limit],
  );
  return rowCount ?? 0;
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
