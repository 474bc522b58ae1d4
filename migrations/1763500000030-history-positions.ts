import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';
import { ownSearchPath } from './search-path.js';

/**
 * New positions of history must be greater than all earlier ones, because numbering looks for new entries after the highest position of an event.
 * The sequence can fall behind: logical replication does not copy sequences.
 */
export class HistoryPositions1763500000030 implements Migration {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      -- The last position that was drawn, and the highest position in use. Positions are drawn before they become visible, so the highest one is
      -- read first: the sequence is behind only if it really is.
      CREATE FUNCTION history_positions(OUT drawn bigint, OUT highest bigint)
      LANGUAGE plpgsql SECURITY DEFINER ${await ownSearchPath(db)} AS $$
      BEGIN
        highest := greatest(
          (SELECT max(position) FROM events),
          (SELECT position FROM history ORDER BY position + 0 DESC LIMIT 1)
        );
        SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END INTO drawn FROM history_position_seq;
      END
      $$;
      REVOKE EXECUTE ON FUNCTION history_positions FROM PUBLIC;
    `);
  }
}
