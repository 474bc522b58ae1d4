import { Column, PrimaryColumn } from 'typeorm';
import type { ETag } from './version.js';

/** What every record has. The database owns both timestamps: a trigger makes updatedAt strictly increasing per row. */
export abstract class VersionedRecord {
  @PrimaryColumn('uuid')
  id!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now_ms()' })
  createdAt!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now_ms()' })
  updatedAt!: string;

  /** Derived from updatedAt whenever the record is read, never stored with it. */
  eTag!: ETag;
}

/** TypeORM has no words for an index on an expression: the migration alone says what it is on. */
export const BY_EXPRESSION = { synchronize: false } as const;
