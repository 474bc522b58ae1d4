import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/**
 * The types of entries without a CHECK constraint. PostgreSQL parses the constraints of a table anew for every statement that writes to it, which
 * was a fifth of its work for the deletion of a shipment with three children. Triggers and the owner's tools choose the types; the service's role
 * cannot add entries. The table is locked for a moment: nothing is scanned.
 */
export class TypesOfEntries1763600000760 implements Migration {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE history DROP CONSTRAINT history_type_check');
  }
}
