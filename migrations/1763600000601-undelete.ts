import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';
import { replaceInFunction } from './replace-in-function.js';
import { ownSearchPath } from './search-path.js';

/**
 * Whether a trigger runs because restore_deleted() inserts a record. Only a trigger inserts from within a trigger, so other writes skip the
 * lookup.
 */
const IS_RESTORING = `pg_trigger_depth() > 1 AND is_restoring(NEW.id)`;

/**
 * Undelete. An INSERT into the view undeletions names a deletion, and its trigger inserts the records with the values that the deletion has
 * kept. So a role that may write records can bring one back, but cannot choose what comes back.
 */
export class Undelete1763600000601 implements Migration {
  async up(db: QueryRunner): Promise<void> {
    const searchPath = await ownSearchPath(db);
    await db.query(`
      -- Every entry satisfies the new condition, so it need not be checked, which would block writers for as long as it takes to read history.
      ALTER TABLE history DROP CONSTRAINT history_type_check;
      ALTER TABLE history ADD CONSTRAINT history_type_check
        CHECK (type IN ('created', 'updated', 'statusChanged', 'disabled', 'deleted', 'restored', 'erased')) NOT VALID;

      CREATE VIEW undeletions AS SELECT record_kind, record_id, deleted_at FROM deletions;
      COMMENT ON VIEW undeletions IS 'INSERT a row of it to undo the deletion';

      -- Whether restore_deleted() has marked the deletion of a record, which no role that only writes records can do.
      CREATE FUNCTION is_restoring(id uuid) RETURNS boolean LANGUAGE sql STABLE ${searchPath} AS $$
        SELECT EXISTS (SELECT FROM deletions d WHERE d.record_id = id AND d.is_restoring)
      $$;

      -- Restores the record, and the children that its deletion took along. The lock of the root keeps an erasure out. If the deletion is no longer
      -- there, it was undone or erased meanwhile: the request is to be tried again, and then finds out.
      --
      -- The version of a restored record is later than its deletion, which is later than every version before.
      CREATE FUNCTION restore_deleted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER ${searchPath} AS $$
      DECLARE
        deletion deletions;
      BEGIN
        PERFORM lock_deletions(root_id) FROM deletions WHERE record_id = NEW.record_id;
        UPDATE deletions SET is_restoring = true
        WHERE record_id = NEW.record_id AND record_kind = NEW.record_kind AND deleted_at = NEW.deleted_at AND record IS NOT NULL
        RETURNING * INTO deletion;
        IF NOT FOUND THEN
          RAISE EXCEPTION 'there is no such deletion' USING ERRCODE = 'serialization_failure';
        END IF;
        UPDATE deletions d SET is_restoring = true FROM children_of(deletion) child
        WHERE d.record_id = child.record_id AND d.position = child.position;
        CASE deletion.record_kind
          WHEN 'move' THEN
            INSERT INTO moves SELECT r.* FROM restored_row(NULL::moves, deletion) r;
          WHEN 'shipment' THEN
            INSERT INTO shipments SELECT r.* FROM restored_row(NULL::shipments, deletion) r;
            INSERT INTO agents SELECT r.* FROM children_of(deletion) d, restored_row(NULL::agents, d) r
              WHERE d.record_kind = 'agent' ORDER BY d.position;
            INSERT INTO services SELECT r.* FROM children_of(deletion) d, restored_row(NULL::services, d) r
              WHERE d.record_kind = 'service' ORDER BY d.position;
            DELETE FROM deletions d USING children_of(deletion) child WHERE d.record_id = child.record_id;
          WHEN 'agent' THEN
            INSERT INTO agents SELECT r.* FROM restored_row(NULL::agents, deletion) r;
          WHEN 'service' THEN
            INSERT INTO services SELECT r.* FROM restored_row(NULL::services, deletion) r;
        END CASE;
        DELETE FROM deletions WHERE record_id = deletion.record_id;
        RETURN NEW;
      END
      $$;

      -- Held by an undelete and by an erasure of the record or of a child. $1 is the root.
      CREATE FUNCTION lock_deletions(uuid) RETURNS void LANGUAGE sql VOLATILE
        RETURN pg_advisory_xact_lock(hashtextextended('deletions of ' || $1, 0));

      CREATE FUNCTION restored_row(type anyelement, deletion deletions) RETURNS anyelement LANGUAGE sql STABLE ${searchPath} AS $$
        SELECT jsonb_populate_record(
          type, (deletion).record || jsonb_build_object('updated_at', (deletion).deleted_at + interval '1 millisecond')
        )
      $$;

      -- The children that the deletion of a shipment took along and that were not erased.
      CREATE FUNCTION children_of(shipment deletions) RETURNS SETOF deletions LANGUAGE sql STABLE ${searchPath} AS $$
        SELECT d.* FROM deletions d
        WHERE d.root_id = (shipment).record_id AND d.is_cascade AND d.transaction_id = (shipment).transaction_id AND d.record IS NOT NULL
      $$;

      CREATE TRIGGER undeletions_restore INSTEAD OF INSERT ON undeletions
        FOR EACH ROW EXECUTE FUNCTION restore_deleted();
      REVOKE EXECUTE ON FUNCTION restore_deleted, lock_deletions, restored_row, children_of FROM PUBLIC;
    `);
    await replaceInFunction(
      db,
      'keep_history',
      `WHEN 'INSERT' THEN 'created'`,
      `WHEN 'INSERT' THEN CASE WHEN ${IS_RESTORING} THEN 'restored' ELSE 'created' END`,
    );
    await replaceInFunction(
      db,
      'advance_version',
      `ELSIF current_setting('application_name')`,
      `ELSIF ${IS_RESTORING} THEN
          NEW.updated_at := greatest(earliest, NEW.updated_at);
        ELSIF current_setting('application_name')`,
    );
  }
}
