import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How a version is kept: `updated_at` moves on with every UPDATE of a row, whoever writes, by at least a millisecond,
 * and `etag_of` turns it into the eTag. No version of a row ever comes twice, also when the clock is set back.
 */
export class VersionClock1762900000001 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE FUNCTION now_ms() RETURNS timestamptz LANGUAGE sql VOLATILE
        RETURN date_trunc('milliseconds', clock_timestamp())
    `);
    await db.query(`
      CREATE FUNCTION iso_ms(moment timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
        RETURN to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    `);
    await db.query(`
      CREATE FUNCTION etag_of(updated_at timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
        RETURN encode(sha256(convert_to(iso_ms(updated_at), 'UTF8')), 'hex')
    `);
    await db.query(`
      CREATE FUNCTION advance_version() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.updated_at := greatest(now_ms(), OLD.updated_at + interval '1 millisecond');
        RETURN NEW;
      END
      $$
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION advance_version()');
    await db.query('DROP FUNCTION etag_of(timestamptz)');
    await db.query('DROP FUNCTION iso_ms(timestamptz)');
    await db.query('DROP FUNCTION now_ms()');
  }
}
