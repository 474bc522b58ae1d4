import type { Client } from 'pg';
import { isRetryable } from '../../../src/problem/database-problem.js';
import { COLLISIONS, retry } from '../../../src/problem/retry.js';
import { CHILDREN, KINDS, type Kind } from '../records/records.js';

const tableOf = ({ path }: Kind) => path.replace('/v1/', '');
const TABLES = KINDS.map(tableOf);

/** Deletes all records. A transaction that lost its connection may still hold one table and wait for another: a deadlock. */
export async function emptyTables(sql: Client): Promise<void> {
  const rules = {
    ...COLLISIONS,
    while: (error: unknown, failures: number) => isRetryable(error) && failures < COLLISIONS.max,
  };
  await retry(() => sql.query(`TRUNCATE ${TABLES.join(', ')}`), rules);
}

const RECORDS = TABLES.map((table) => `SELECT id, to_jsonb(r)::text AS record FROM ${table} r`).join(' UNION ALL ');

/**
 * Makes every UPDATE or DELETE fail whose transaction has not locked a row before. It checks before the statement, because PostgreSQL
 * locks the rows of the statement before it runs row-level triggers.
 */
export async function requireRowLocks(sql: Client): Promise<void> {
  await sql.query(`
    CREATE FUNCTION require_row_lock() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE is_locked boolean;
    BEGIN
      EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE xmax = $1)', TG_TABLE_NAME)
        INTO is_locked USING pg_current_xact_id()::xid;
      IF NOT is_locked THEN RAISE EXCEPTION '% of % without a row lock', TG_OP, TG_TABLE_NAME; END IF;
      RETURN NULL;
    END $$`);
  for (const table of TABLES) {
    // Deleting a shipment cascades to its children, which need no lock.
    const events = CHILDREN.map(tableOf).includes(table) ? 'UPDATE' : 'UPDATE OR DELETE';
    await sql.query(`
      CREATE TRIGGER require_row_lock BEFORE ${events} ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION require_row_lock()`);
  }
}

interface Entry {
  readonly recordID: string;
  readonly eTag: string | null;
  readonly requestID: string | null;
  readonly changedBy: string;
  /** Whether the record matches this entry. */
  readonly isCurrent: boolean;
}

interface Outcome {
  readonly accepted: boolean;
  readonly requestID: string;
  /** From the response; a deletion has none. */
  readonly eTag: string | undefined;
}

/** A snapshot of the stored data. */
export class Stored {
  private constructor(
    /** Of all records. */
    private readonly digest: string,
    private readonly position: string,
  ) {}

  static async read(sql: Client): Promise<Stored> {
    const { rows } = await sql.query<{ digest: string; position: string }>(`
      SELECT (SELECT coalesce(md5(string_agg(record, '' ORDER BY record)), '') FROM (${RECORDS}) r) AS digest,
        (SELECT coalesce(max(position), 0)::text FROM history) AS position`);
    const [{ digest, position }] = rows as [{ digest: string; position: string }];
    return new Stored(digest, position);
  }

  /** Why the stored data contradicts the response to a write; undefined if it does not. */
  async faultNow(sql: Client, { accepted, requestID, eTag }: Outcome): Promise<string | undefined> {
    const now = await Stored.read(sql);
    const { rows: added } = await sql.query<Entry>(
      `SELECT record_id AS "recordID", encode(e_tag, 'hex') AS "eTag", request_id AS "requestID", changed_by AS "changedBy",
         record IS NOT DISTINCT FROM (SELECT jsonb_strip_nulls(record::jsonb) FROM (${RECORDS}) r WHERE r.id = record_id) AS "isCurrent"
       FROM history WHERE position > $1 ORDER BY position`,
      [this.position],
    );
    const unsigned = added.filter((entry) => entry.requestID !== requestID || entry.changedBy !== 'anonymous');
    if (unsigned.length > 0) return `history has an entry without its author: ${JSON.stringify(unsigned)}`;
    if (!accepted) {
      if (added.length > 0) return `${added.length} changes were written`;
      return now.digest === this.digest ? undefined : 'records were changed';
    }
    if (added.length === 0) return 'nothing was written';
    if (new Set(added.map(({ recordID }) => recordID)).size < added.length)
      return 'a record was written more than once';
    if (!added.every(({ isCurrent }) => isCurrent)) return 'history does not end in the record';
    return eTag === undefined || added.at(-1)?.eTag === eTag
      ? undefined
      : 'another version was answered than was stored';
  }
}
