import type { MigrationInterface, QueryRunner } from 'typeorm';
import { keeper, KEPT } from './1762900000012-history-rights.js';
import { ownSearchPath } from './search-path.js';

/**
 * History keeps the subject of a token beside the name that is shown for it, and one trigger function keeps the history of
 * every table. `track_changes` gives a table all its triggers; a migration that adds a table calls it.
 */
export class HistorySubject1763000000013 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    const path = await ownSearchPath(db);
    const clauses = `SECURITY DEFINER ${path}`;
    await db.query('ALTER TABLE history ADD COLUMN subject text');
    await db.query(
      `COMMENT ON COLUMN history.subject IS 'The subject of the token, where changed_by shows a name for it'`,
    );
    await db.query(keepHistory(clauses));
    await db.query(keepIdentity(clauses));
    await db.query(trackChanges(path));
    await db.query(
      'REVOKE EXECUTE ON FUNCTION keep_history(), keep_identity(), track_changes(regclass, text, text) FROM PUBLIC',
    );
    for (const { table, kind, root } of KEPT) {
      await db.query(`SELECT track_changes('${table}', '${kind}', '${root}')`);
      await db.query(`DROP FUNCTION keep_${kind}()`);
    }
  }

  /** Names that were shown for subjects stay in changed_by; their subjects are lost. */
  async down(db: QueryRunner): Promise<void> {
    const path = await ownSearchPath(db);
    for (const { table, kind, root } of KEPT) {
      await db.query(keeper(kind, root, `SECURITY DEFINER ${path}`));
      await db.query(`REVOKE EXECUTE ON FUNCTION keep_${kind}() FROM PUBLIC`);
      await db.query(`
        CREATE OR REPLACE TRIGGER ${table}_history AFTER INSERT OR UPDATE OR DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION keep_${kind}()
      `);
      await db.query(`DROP TRIGGER ${table}_identity ON ${table}`);
    }
    await db.query('DROP FUNCTION track_changes(regclass, text, text)');
    await db.query('DROP FUNCTION keep_identity()');
    await db.query('DROP FUNCTION keep_history()');
    await db.query('ALTER TABLE history DROP COLUMN subject');
  }
}

/**
 * Writes the entry of a change; the trigger's arguments are the kind of record and the column that says whose history it
 * belongs to. `waybill.author` is `<request id> <subject>`, followed by U+001F and the name to show if there is one. Without
 * an author, an administrator is recorded by role; the service, which its application_name or its lack of the owner's rights
 * gives away, is refused.
 */
function keepHistory(clauses: string): string {
  return `
    CREATE FUNCTION keep_history() RETURNS trigger LANGUAGE plpgsql ${clauses} AS $$
    DECLARE
      kind text := TG_ARGV[0];
      root text := TG_ARGV[1];
      author text := current_setting('waybill.author', true);
      request text := nullif(split_part(author, ' ', 1), '');
      caller text := substr(author, length(request) + 2);
      subject text := nullif(split_part(caller, E'\\x1f', 1), '');
      name text := nullif(split_part(caller, E'\\x1f', 2), '');
      change text := CASE TG_OP WHEN 'INSERT' THEN 'created' ELSE 'updated' END;
      stored jsonb;
    BEGIN
      IF subject IS NULL THEN
        IF current_setting('application_name') = 'waybill' OR NOT pg_has_role(session_user, current_user, 'MEMBER') THEN
          RAISE EXCEPTION 'a change of % has no author', TG_TABLE_NAME USING ERRCODE = 'restrict_violation',
            HINT = 'Set waybill.author to "<request id> <subject>" in the transaction of the change.';
        END IF;
        subject := 'sql:' || session_user;
      END IF;
      IF TG_OP = 'DELETE' THEN
        INSERT INTO history (root_id, record_kind, record_id, type, changed_by, subject, request_id, changed_at)
        VALUES (
          (to_jsonb(OLD) ->> root)::uuid, kind, OLD.id, 'deleted',
          coalesce(name, subject), CASE WHEN name IS NOT NULL THEN subject END, request, now_ms()
        );
        RETURN NULL;
      END IF;
      IF TG_OP = 'UPDATE' AND kind = 'shipment' THEN
        -- A separate statement: only a shipment has a status.
        IF NEW.status <> OLD.status THEN change := 'statusChanged'; END IF;
      END IF;
      stored := jsonb_strip_nulls(to_jsonb(NEW));
      INSERT INTO history (root_id, record_kind, record_id, type, e_tag, record, changed_by, subject, request_id, changed_at)
      VALUES (
        (stored ->> root)::uuid, kind, NEW.id, change, decode(etag_of(NEW.updated_at), 'hex'), stored,
        coalesce(name, subject), CASE WHEN name IS NOT NULL THEN subject END, request, NEW.updated_at
      );
      RETURN NULL;
    END
    $$
  `;
}

/** Under another id or parent, a record would leave the history in which its entries are. */
function keepIdentity(clauses: string): string {
  return `
    CREATE FUNCTION keep_identity() RETURNS trigger LANGUAGE plpgsql ${clauses} AS $$
    BEGIN
      RAISE EXCEPTION 'a record of % keeps its %', TG_TABLE_NAME, TG_ARGV[0] USING ERRCODE = 'restrict_violation';
    END
    $$
  `;
}

function trackChanges(path: string): string {
  return `
    CREATE FUNCTION track_changes(tracked regclass, kind text, root text) RETURNS void
    LANGUAGE plpgsql ${path} AS $$
    DECLARE
      identity text := CASE root WHEN 'id' THEN 'id' ELSE 'id and its ' || root END;
    BEGIN
      EXECUTE format(
        'CREATE OR REPLACE TRIGGER %1$s_version BEFORE INSERT OR UPDATE ON %1$s
           FOR EACH ROW EXECUTE FUNCTION advance_version()',
        tracked
      );
      EXECUTE format(
        'CREATE OR REPLACE TRIGGER %1$s_identity BEFORE UPDATE ON %1$s
           FOR EACH ROW WHEN (NEW.id <> OLD.id OR NEW.%2$I <> OLD.%2$I) EXECUTE FUNCTION keep_identity(%3$L)',
        tracked, root, identity
      );
      EXECUTE format(
        'CREATE OR REPLACE TRIGGER %1$s_history AFTER INSERT OR UPDATE OR DELETE ON %1$s
           FOR EACH ROW EXECUTE FUNCTION keep_history(%2$L, %3$L)',
        tracked, kind, root
      );
    END
    $$
  `;
}
