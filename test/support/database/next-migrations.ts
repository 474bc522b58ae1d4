import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../../../migrations/concurrent-index.js';
import { MIGRATIONS } from '../../../migrations/migrations.js';
import { readConfig } from '../../../src/config/read-config.js';
import { dataSourceOf } from '../../../src/database/data-source.js';
import { migrate } from '../../../src/database/migrate.js';
import { ENTITIES } from '../../../src/model/resources.js';

class Column1900000000001 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE shipments ADD COLUMN next_version text');
    await db.query('ALTER TABLE history ADD COLUMN next_version text');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE history DROP COLUMN next_version');
    await db.query('ALTER TABLE shipments DROP COLUMN next_version');
  }
}

class Index1900000000002 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await createIndexConcurrently(db, 'next_version_idx', 'shipments (pickup_date, id)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX next_version_idx');
  }
}

/**
 * Migrates a database to an imaginary next version: a column that needs the strongest lock on two large tables, and an index on one of
 * them, created concurrently.
 */
export async function migrateToNextVersion(url: string): Promise<void> {
  const dataSource = dataSourceOf(readConfig({ POOL_SIZE: '2' }), url, ENTITIES);
  dataSource.setOptions({ migrations: [...MIGRATIONS, Column1900000000001, Index1900000000002] });
  await dataSource.initialize();
  await migrate(dataSource, url);
  await dataSource.destroy();
}
