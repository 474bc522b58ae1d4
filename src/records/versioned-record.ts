import { Column, PrimaryColumn } from 'typeorm';
import { ETAG, EXAMPLE_ETAG } from '../validation/json-schema.js';
import { JsonSchema } from '../validation/json-schema.decorator.js';
import type { ETag } from '../etag/version.js';

/** What every record has. The database owns both timestamps: a trigger makes updatedAt strictly increasing per row. */
export abstract class VersionedRecord {
  @JsonSchema({ description: 'Made by the service.' })
  @PrimaryColumn('uuid')
  id!: string;

  @JsonSchema({ description: 'When the record was created.', examples: ['2026-03-01T09:30:00.000Z'] })
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now_ms()' })
  createdAt!: string;

  @JsonSchema({
    description: 'When the record was changed last; strictly increasing.',
    examples: ['2026-03-02T14:05:12.345Z'],
  })
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now_ms()' })
  updatedAt!: string;

  /** Derived from updatedAt whenever the record is read, never stored with it. */
  @JsonSchema({
    ...ETAG,
    description: 'The version of the record. Opaque: send it back in `If-Match` to change exactly this version.',
    examples: [EXAMPLE_ETAG],
  })
  eTag!: ETag;
}

/** TypeORM cannot declare an index on an expression: only the migration defines it. */
export const BY_EXPRESSION = { synchronize: false } as const;
