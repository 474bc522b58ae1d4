import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** The names of imported files, so that people recognize their imports. */
export class FileNamesOfImports1763600000723 implements Migration {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE imports ADD file_name varchar(255)');
  }
}
