import type { MigrationInterface } from 'typeorm';

/** A migration that was written after undoing migrations was given up: see migrations.ts. */
export type Migration = Pick<MigrationInterface, 'up' | 'transaction'>;
