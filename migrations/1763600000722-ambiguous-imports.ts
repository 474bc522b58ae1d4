import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** Allows imports whose cells can be read in several ways. The table has the imports of a few days, so checking them takes no time. */
export class AmbiguousImports1763600000722 implements Migration {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE imports DROP CONSTRAINT imports_state_check;
      ALTER TABLE imports ADD CONSTRAINT imports_state_check CHECK (state IN ('ambiguous', 'ready', 'applying', 'applied'));
    `);
  }
}
