import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';
import { createIndexConcurrently } from './concurrent-index.js';

/** Finds moves by the end of their code, for searches. */
export class EndsOfCodes1763600000720 implements Migration {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await createIndexConcurrently(db, 'moves_code_end_idx', 'moves (reverse(move_code) COLLATE "C")');
  }
}
