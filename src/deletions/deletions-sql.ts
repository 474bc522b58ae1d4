import type { BoundStatement, Statement } from '../database/statement.js';

/** The requested deletions; undefined members match all. */
export interface DeletionFilter {
  readonly resourceID: string | undefined;
  readonly moveID: string | null | undefined;
  readonly code: string | undefined;
  readonly kinds: readonly string[] | undefined;
  readonly deletedBy: string | undefined;
  readonly deletedSince: string | undefined;
}

/** Deletions that one request examines. A page may be incomplete then; its next link continues. */
const MAX_EXAMINED = 10_000;

/** The id of a deleted move by its code. */
export const MOVE_BY_CODE: Statement = {
  name: 'deleted_move_by_code',
  text: `SELECT record_id AS id FROM deletions WHERE code = $1 AND record_kind = 'move'`,
};

/**
 * One page of deletions, newest first: a walk down the index by time, by record, by move or by code, on which the other filters are checked. Without
 * rows, there is one with nothing but `examinedTo`.
 */
export function deletionsPage(filter: DeletionFilter, limit: number, after: string | undefined): BoundStatement {
  const values: unknown[] = [];
  const place = (value: unknown) => `$${values.push(value)}`;
  const walked: string[] = [];
  if (filter.resourceID !== undefined) walked.push(`d.record_id = ${place(filter.resourceID)}::uuid`);
  // As in `ListSql`: PostgreSQL does not know that this is one value, so it scans the index that has the whole order.
  if (filter.moveID !== undefined) walked.push(`d.move_id = ANY (ARRAY[${place(filter.moveID)}::uuid])`);
  if (filter.code !== undefined) walked.push(`d.code = ${place(filter.code)}`);
  if (filter.deletedSince !== undefined) walked.push(`d.deleted_at >= ${place(filter.deletedSince)}::timestamptz`);
  if (after !== undefined) {
    const [time, position] = after.split(' ');
    walked.push(`(d.deleted_at, d.position) < (${place(time)}::timestamptz, ${place(position)}::bigint)`);
  }
  const checked: string[] = [];
  if (filter.kinds !== undefined) checked.push(`d.record_kind = ANY (${place(filter.kinds)}::text[])`);
  if (filter.deletedBy !== undefined) {
    const author = place(filter.deletedBy);
    checked.push(`(d.deleted_by = ${author} OR d.subject = ${author})`);
  }
  const order = `ORDER BY ${filter.moveID === undefined ? '' : 'd.move_id DESC, '}d.deleted_at DESC, d.position DESC`;
  const walk = `FROM deletions d ${where(walked)} ${order}`;
  const text = `
    SELECT page.*, edge.examined_to AS "examinedTo"
    FROM (
      SELECT ${checked.length === 0 ? 'NULL' : `(SELECT iso_ms(d.deleted_at) || ' ' || d.position ${walk} OFFSET ${MAX_EXAMINED - 1} LIMIT 1)`} AS examined_to
    ) edge
    LEFT JOIN LATERAL (
      SELECT d.record_kind AS resource, d.record_id AS "resourceID", CASE WHEN d.record_kind <> 'move' THEN d.root_id END AS "shipmentID",
        d.move_id AS "moveID", d.is_cascade AS "isCascade", d.deleted_by AS "deletedBy", iso_ms(d.deleted_at) AS "deletedAt",
        d.request_id AS "requestID", etag_of(d.deleted_at) AS "deletionETag", d.erased, d.record AS stored, d.position::text
      FROM (SELECT d.* ${walk} LIMIT ${checked.length === 0 ? limit + 1 : MAX_EXAMINED}) d
      ${where(checked)} ${order} LIMIT ${limit + 1}
    ) page ON true`;
  return { statement: { text }, values };
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}
