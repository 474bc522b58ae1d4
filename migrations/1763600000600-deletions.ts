import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';
import { ownSearchPath } from './search-path.js';

/** The kinds of records whose last row is kept, with their table and the column that names the root. */
const KEPT = [
  ['moves', 'move', 'id'],
  ['shipments', 'shipment', 'id'],
  ['agents', 'agent', 'shipment_id'],
  ['services', 'service', 'shipment_id'],
] as const;

/**
 * The last row of every deleted move, shipment, agent and service, so that a deletion can be undone although history may be archived. Only
 * the trigger of a deletion adds rows. An undelete removes them, and the tools of the owner archive and erase them.
 */
export class Deletions1763600000600 implements Migration {
  async up(db: QueryRunner): Promise<void> {
    const searchPath = await ownSearchPath(db);
    await db.query(`
      CREATE TABLE deletions (
        record_id uuid NOT NULL,
        record_kind varchar(16) NOT NULL,
        root_id uuid NOT NULL,
        move_id uuid,
        code varchar(17),
        position bigint NOT NULL,
        transaction_id xid8 NOT NULL,
        is_cascade boolean NOT NULL,
        record jsonb,
        deleted_by text NOT NULL,
        subject text,
        request_id text,
        deleted_at timestamptz(3) NOT NULL,
        erased boolean NOT NULL DEFAULT false,
        is_restoring boolean NOT NULL DEFAULT false,
        -- One row per record, unless an administrator inserts a deleted one again. Then the last deletion counts.
        CONSTRAINT deletions_pkey PRIMARY KEY (record_id, position)
      );
      COMMENT ON COLUMN deletions.root_id IS 'As in history: the record itself, or its shipment';
      COMMENT ON COLUMN deletions.move_id IS 'The move, or the move of the shipment, that the record belonged to';
      COMMENT ON COLUMN deletions.code IS 'The moveCode or shipmentCode';
      COMMENT ON COLUMN deletions.position IS 'The entry of the deletion in history';
      COMMENT ON COLUMN deletions.is_cascade IS 'Deleted along with its shipment, in the same transaction';
      COMMENT ON COLUMN deletions.record IS 'The last row, by column, without nulls; null if it was erased';
      COMMENT ON COLUMN deletions.erased IS 'Values or the author were erased';
      COMMENT ON COLUMN deletions.is_restoring IS 'Only true within the transaction of an undelete, which then removes the row';
      CREATE INDEX deletions_time_idx ON deletions (deleted_at, position);
      CREATE INDEX deletions_move_idx ON deletions (move_id, deleted_at, position);
      CREATE INDEX deletions_root_idx ON deletions (root_id) WHERE is_cascade;
      CREATE INDEX deletions_code_idx ON deletions (code) WHERE code IS NOT NULL;

      -- The trigger of deletions, in the place of keep_history(), which has the same arguments and the same rules for authors.
      --
      -- When a shipment takes a child along, the shipment's trigger has run before, so its row is there.
      CREATE FUNCTION keep_deletion() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER ${searchPath} AS $$
      DECLARE
        kind text := TG_ARGV[0];
        root uuid;
        author text := current_setting('waybill.author', true);
        request text := nullif(split_part(author, ' ', 1), '');
        caller text := substr(author, length(request) + 2);
        subject text := nullif(split_part(caller, E'\\x1f', 1), '');
        name text := nullif(split_part(caller, E'\\x1f', 2), '');
        stored jsonb := jsonb_strip_nulls(to_jsonb(OLD));
        cascaded boolean := false;
        move uuid;
        entry history;
      BEGIN
        IF subject IS NULL THEN
          IF current_setting('application_name') = 'waybill' OR NOT pg_has_role(session_user, current_user, 'MEMBER') THEN
            RAISE EXCEPTION 'a change of % has no author', TG_TABLE_NAME USING ERRCODE = 'restrict_violation',
              HINT = 'Set waybill.author to "<request id> <subject>" in the transaction of the change.';
          END IF;
          subject := 'sql:' || session_user;
        END IF;
        root := stored ->> TG_ARGV[1];
        IF kind = 'move' THEN
          move := root;
          -- The code stays reserved, also for a move that never had a shipment.
          INSERT INTO shipment_numbers VALUES (stored ->> 'move_code', 0) ON CONFLICT DO NOTHING;
        ELSIF kind = 'shipment' THEN
          move := stored ->> 'move_id';
        ELSE
          SELECT d.move_id INTO move FROM deletions d WHERE d.record_id = root AND d.transaction_id = pg_current_xact_id();
          cascaded := FOUND;
          IF NOT cascaded THEN
            SELECT s.move_id INTO move FROM shipments s WHERE s.id = root;
          END IF;
        END IF;
        INSERT INTO history AS h (root_id, record_kind, record_id, type, changed_by, subject, request_id, changed_at)
        VALUES (
          root, kind, OLD.id, 'deleted', coalesce(name, subject), CASE WHEN name IS NOT NULL THEN subject END, request,
          -- A deletion comes after the last version, also when the clock was set back.
          greatest(now_ms(), OLD.updated_at + interval '1 millisecond')
        )
        RETURNING h.position, h.transaction_id, h.changed_at INTO entry.position, entry.transaction_id, entry.changed_at;
        INSERT INTO deletions (
          record_id, record_kind, root_id, move_id, code, position, transaction_id, is_cascade, record, deleted_by, subject, request_id, deleted_at
        )
        VALUES (
          OLD.id, kind, root, move, coalesce(stored ->> 'shipment_code', stored ->> 'move_code'), entry.position, entry.transaction_id, cascaded,
          stored, coalesce(name, subject), CASE WHEN name IS NOT NULL THEN subject END, request, entry.changed_at
        );
        RETURN NULL;
      END
      $$;
      REVOKE EXECUTE ON FUNCTION keep_deletion FROM PUBLIC;
    `);
    for (const [table, kind, root] of KEPT) {
      await db.query(`
        CREATE OR REPLACE TRIGGER ${table}_history AFTER INSERT OR UPDATE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION keep_history('${kind}', '${root}');
        CREATE TRIGGER ${table}_deletion AFTER DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION keep_deletion('${kind}', '${root}');
      `);
    }
  }
}
