import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ownSearchPath } from './search-path.js';

/**
 * Versions. `updated_at` strictly increases with every UPDATE of a row, whoever writes, even after the clock is set back, so no version
 * occurs twice. `etag_of` derives the eTag from it.
 */
export class VersionClock1763400000001 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    const searchPath = await ownSearchPath(db);
    await db.query(`
      -- The bodies of these three are bound when they are created, so they need no search_path. Functions with a SET clause are not inlined.
      CREATE FUNCTION now_ms() RETURNS timestamptz LANGUAGE sql VOLATILE
        RETURN date_trunc('milliseconds', clock_timestamp());

      CREATE FUNCTION iso_ms(moment timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
        RETURN to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

      CREATE FUNCTION etag_of(updated_at timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
        RETURN encode(sha256(convert_to(iso_ms(updated_at), 'UTF8')), 'hex');

      -- Trigger of every table of records. A new record of the service gets one moment for both timestamps. Only the owner, whose rights
      -- the function has, may choose them, as the seed and a restore do.
      CREATE FUNCTION advance_version() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER ${searchPath} AS $$
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          NEW.updated_at := greatest(now_ms(), OLD.updated_at + interval '1 millisecond');
        ELSIF current_setting('application_name') = 'waybill' OR NOT pg_has_role(session_user, current_user, 'MEMBER') THEN
          NEW.updated_at := now_ms();
          NEW.created_at := NEW.updated_at;
        END IF;
        RETURN NEW;
      END
      $$;

      REVOKE EXECUTE ON FUNCTION advance_version FROM PUBLIC;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION advance_version, etag_of, iso_ms, now_ms');
  }
}
