import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ownSearchPath } from './search-path.js';

/** The tables with a history, the kind of record in each, and the column of the record whose history shows its entries. */
export const KEPT = [
  { table: 'moves', kind: 'move', root: 'id' },
  { table: 'shipments', kind: 'shipment', root: 'id' },
  { table: 'agents', kind: 'agent', root: 'shipment_id' },
  { table: 'services', kind: 'service', root: 'shipment_id' },
] as const;

const TRIGGER_FUNCTIONS = ['advance_version()', 'refuse_change()', ...KEPT.map(({ kind }) => `keep_${kind}()`)];

/**
 * A role that may write records can no longer write, replace or avoid the entries of history, nor choose a version:
 *
 * - The triggers run with the rights of the owner, so that the writer needs no INSERT on history.
 * - Every function looks names up in this schema first and among the caller's temporary objects last. `now_ms`, `iso_ms` and
 *   `etag_of` need no `search_path`: their bodies are SQL expressions (RETURN ...) whose names PostgreSQL resolved when it
 *   created them. They stay as they are because PostgreSQL does not inline a function that has a SET clause.
 * - Nobody but the owner can put the trigger functions on a table of their own: they would write its rows into history.
 * - A change without an author is refused when the service makes it, and a record keeps its id and its parent.
 */
export class HistoryRights1762900000012 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    const path = await ownSearchPath(db);
    await db.query(`ALTER FUNCTION prepare_history(timestamptz, timestamptz) ${path}`);
    await db.query(`ALTER FUNCTION refuse_change() ${path}`);
    await db.query(advanceVersion(`SECURITY DEFINER ${path}`));
    for (const { table, kind, root } of KEPT) {
      await db.query(keeper(kind, root, `SECURITY DEFINER ${path}`));
      await db.query(`
        CREATE OR REPLACE TRIGGER ${table}_version BEFORE INSERT OR UPDATE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION advance_version()
      `);
    }
    await db.query(`REVOKE EXECUTE ON FUNCTION ${TRIGGER_FUNCTIONS.join(', ')} FROM PUBLIC`);
  }

  /** The service's role then needs INSERT on history again. */
  async down(db: QueryRunner): Promise<void> {
    await db.query(`GRANT EXECUTE ON FUNCTION ${TRIGGER_FUNCTIONS.join(', ')} TO PUBLIC`);
    for (const { table, kind, root } of KEPT) {
      await db.query(`
        CREATE OR REPLACE TRIGGER ${table}_version BEFORE UPDATE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION advance_version()
      `);
      await db.query(formerKeeper(kind, root));
    }
    await db.query(FORMER_ADVANCE_VERSION);
    await db.query('ALTER FUNCTION refuse_change() RESET search_path');
    await db.query('ALTER FUNCTION prepare_history(timestamptz, timestamptz) SET search_path FROM CURRENT');
  }
}

/**
 * A new record of the service has one moment for both timestamps. Only the owner, whose rights the function has, can choose them,
 * as the seed and a restore do.
 */
function advanceVersion(clauses: string): string {
  return `
    CREATE OR REPLACE FUNCTION advance_version() RETURNS trigger LANGUAGE plpgsql ${clauses} AS $$
    BEGIN
      IF TG_OP = 'UPDATE' THEN
        NEW.updated_at := greatest(now_ms(), OLD.updated_at + interval '1 millisecond');
      ELSIF current_setting('application_name') = 'waybill' OR NOT pg_has_role(session_user, current_user, 'MEMBER') THEN
        NEW.updated_at := now_ms();
        NEW.created_at := NEW.updated_at;
      END IF;
      RETURN NEW;
    END
    $$
  `;
}

/**
 * The trigger function of one kind of record. Each kind has its own, because looking columns up by name would cost every write.
 * The author is `<request id> <subject>`. Without one, an administrator is recorded by role; the service, which its
 * application_name or its lack of the owner's rights gives away, is refused.
 */
export function keeper(kind: string, root: string, clauses: string): string {
  return `
    CREATE OR REPLACE FUNCTION keep_${kind}() RETURNS trigger LANGUAGE plpgsql ${clauses} AS $$
    DECLARE
      author text := current_setting('waybill.author', true);
      request text := nullif(split_part(author, ' ', 1), '');
      subject text := nullif(substr(author, length(request) + 2), '');
    BEGIN
      IF subject IS NULL THEN
        IF current_setting('application_name') = 'waybill' OR NOT pg_has_role(session_user, current_user, 'MEMBER') THEN
          RAISE EXCEPTION 'a change of % has no author', TG_TABLE_NAME USING ERRCODE = 'restrict_violation',
            HINT = 'Set waybill.author to "<request id> <subject>" in the transaction of the change.';
        END IF;
        subject := 'sql:' || session_user;
      END IF;
      IF TG_OP = 'DELETE' THEN
        INSERT INTO history (root_id, record_kind, record_id, type, changed_by, request_id, changed_at)
        VALUES (OLD.${root}, '${kind}', OLD.id, 'deleted', subject, request, now_ms());
        RETURN NULL;
      END IF;
      IF TG_OP = 'UPDATE' AND (${movedAway(root)}) THEN
        RAISE EXCEPTION 'a record of % keeps its ${root === 'id' ? 'id' : `id and its ${root}`}', TG_TABLE_NAME
          USING ERRCODE = 'restrict_violation';
      END IF;
      INSERT INTO history (root_id, record_kind, record_id, type, e_tag, record, changed_by, request_id, changed_at)
      VALUES (
        NEW.${root}, '${kind}', NEW.id, CASE TG_OP WHEN 'INSERT' THEN 'created' ELSE ${typeOfUpdate(kind)} END,
        decode(etag_of(NEW.updated_at), 'hex'), jsonb_strip_nulls(to_jsonb(NEW)), subject, request, NEW.updated_at
      );
      RETURN NULL;
    END
    $$
  `;
}

/** Under another id or parent, a record would leave the history in which its entries are. */
function movedAway(root: string): string {
  return [...new Set(['id', root])].map((column) => `NEW.${column} <> OLD.${column}`).join(' OR ');
}

function typeOfUpdate(kind: string): string {
  return kind === 'shipment'
    ? `CASE WHEN NEW.status <> OLD.status THEN 'statusChanged' ELSE 'updated' END`
    : `'updated'`;
}

const FORMER_ADVANCE_VERSION = `
  CREATE OR REPLACE FUNCTION advance_version() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.updated_at := greatest(now_ms(), OLD.updated_at + interval '1 millisecond');
    RETURN NEW;
  END
  $$
`;

function formerKeeper(kind: string, root: string): string {
  return `
    CREATE OR REPLACE FUNCTION keep_${kind}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      author text := current_setting('waybill.author', true);
      request text := nullif(split_part(author, ' ', 1), '');
      subject text := coalesce(nullif(substr(author, length(request) + 2), ''), 'sql:' || session_user);
    BEGIN
      IF TG_OP = 'DELETE' THEN
        INSERT INTO history (root_id, record_kind, record_id, type, changed_by, request_id, changed_at)
        VALUES (OLD.${root}, '${kind}', OLD.id, 'deleted', subject, request, now_ms());
      ELSE
        INSERT INTO history (root_id, record_kind, record_id, type, e_tag, record, changed_by, request_id, changed_at)
        VALUES (
          NEW.${root}, '${kind}', NEW.id,
          CASE TG_OP WHEN 'INSERT' THEN 'created' ELSE ${typeOfUpdate(kind)} END,
          decode(etag_of(NEW.updated_at), 'hex'), jsonb_strip_nulls(to_jsonb(NEW)), subject, request, NEW.updated_at
        );
      END IF;
      RETURN NULL;
    END
    $$
  `;
}
