import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';
import { ownSearchPath } from './search-path.js';

/**
 * A new move cannot get the code of a deleted one: every code that was in use has a row in shipment_numbers, from the first shipment or from
 * the deletion of the move. The check runs after the unique index of codes has waited for a concurrent deletion.
 */
export class ReservedMoveCodes1763600000602 implements Migration {
  async up(db: QueryRunner): Promise<void> {
    const searchPath = await ownSearchPath(db);
    await db.query(`
      -- An undelete brings back a move with its code.
      CREATE FUNCTION refuse_reserved_code() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER ${searchPath} AS $$
      BEGIN
        IF pg_trigger_depth() > 1 AND is_restoring(NEW.id) THEN
          RETURN NULL;
        END IF;
        -- A statement that also inserts shipments of the move has given them numbers by now.
        IF EXISTS (SELECT FROM shipment_numbers WHERE move_code = NEW.move_code)
          AND NOT EXISTS (SELECT FROM shipments WHERE move_id = NEW.id)
        THEN
          RAISE 'the code % belonged to a deleted move', NEW.move_code USING ERRCODE = 'unique_violation', CONSTRAINT = 'moves_move_code_key';
        END IF;
        RETURN NULL;
      END
      $$;
      REVOKE EXECUTE ON FUNCTION refuse_reserved_code FROM PUBLIC;
      CREATE TRIGGER moves_reserved_code AFTER INSERT ON moves
        FOR EACH ROW EXECUTE FUNCTION refuse_reserved_code();
    `);
  }
}
