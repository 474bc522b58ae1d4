import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ownSearchPath } from './search-path.js';

/**
 * Lets a role that owns nothing prepare the months ahead, and nothing else: the function runs with its owner's rights, takes
 * no argument, and looks names up in one schema only, so that its caller can neither choose what is created nor replace what
 * it calls.
 */
export class MonthsAhead1762900000007 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE FUNCTION prepare_months_ahead() RETURNS void LANGUAGE sql
        SECURITY DEFINER ${await ownSearchPath(db)}
        AS $$ SELECT prepare_history(now(), now() + interval '2 months') $$
    `);
    await db.query('REVOKE EXECUTE ON FUNCTION prepare_months_ahead() FROM PUBLIC');
    await db.query('REVOKE EXECUTE ON FUNCTION prepare_history(timestamptz, timestamptz) FROM PUBLIC');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('GRANT EXECUTE ON FUNCTION prepare_history(timestamptz, timestamptz) TO PUBLIC');
    await db.query('DROP FUNCTION prepare_months_ahead()');
  }
}
