import { every, raw, sql, type Sql } from '../database/sql.js';
import { namedStatement, type BoundStatement } from '../database/statement.js';

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
export const MOVE_BY_CODE = namedStatement('deleted_move_by_code')`
  SELECT record_id AS id FROM deletions WHERE code = $1 AND record_kind = 'move'`;

/**
 * One page of deletions, newest first: a walk down the index by time, by record, by move or by code, on which the other filters are checked. Without
 * rows, there is one with nothing but `examinedTo`.
 */
export function deletionsPage(filter: DeletionFilter, limit: number, after: string | undefined): BoundStatement {
  const walked: Sql[] = [];
  if (filter.resourceID !== undefined) walked.push(sql`d.record_id = ${filter.resourceID}::uuid`);
  // As in `ListSql`: PostgreSQL does not know that this is one value, so it scans the index that has the whole order.
  if (filter.moveID !== undefined) walked.push(sql`d.move_id = ANY (ARRAY[${filter.moveID}::uuid])`);
  if (filter.code !== undefined) walked.push(sql`d.code = ${filter.code}`);
  if (filter.deletedSince !== undefined) walked.push(sql`d.deleted_at >= ${filter.deletedSince}::timestamptz`);
  if (after !== undefined) {
    const [time, position] = after.split(' ');
    walked.push(sql`(d.deleted_at, d.position) < (${time}::timestamptz, ${position}::bigint)`);
  }
  const checked: Sql[] = [];
  if (filter.kinds !== undefined) checked.push(sql`d.record_kind = ANY (${filter.kinds}::text[])`);
  if (filter.deletedBy !== undefined) {
    checked.push(sql`(d.deleted_by = ${filter.deletedBy} OR d.subject = ${filter.deletedBy})`);
  }
  const order = raw(
    `ORDER BY ${filter.moveID === undefined ? '' : 'd.move_id DESC, '}d.deleted_at DESC, d.position DESC`,
  );
  const walk = sql`FROM deletions d WHERE ${every(walked)} ${order}`;
  const examinedTo =
    checked.length === 0
      ? raw('NULL')
      : sql`(SELECT iso_ms(d.deleted_at) || ' ' || d.position ${walk} OFFSET ${raw(MAX_EXAMINED - 1)} LIMIT 1)`;
  const { text, values } = sql`
    SELECT page.*, edge.examined_to AS "examinedTo"
    FROM (
      SELECT ${examinedTo} AS examined_to
    ) edge
    LEFT JOIN LATERAL (
      SELECT d.record_kind AS resource, d.record_id AS "resourceID", CASE WHEN d.record_kind <> 'move' THEN d.root_id END AS "shipmentID",
        d.move_id AS "moveID", d.is_cascade AS "isCascade", d.deleted_by AS "deletedBy", iso_ms(d.deleted_at) AS "deletedAt",
        d.request_id AS "requestID", etag_of(d.deleted_at) AS "deletionETag", d.erased, d.record AS stored, d.position::text
      FROM (SELECT d.* ${walk} LIMIT ${raw(checked.length === 0 ? limit + 1 : MAX_EXAMINED)}) d
      WHERE ${every(checked)} ${order} LIMIT ${raw(limit + 1)}
    ) page ON true`;
  return { statement: { text }, values };
}
