import { Column, Entity } from 'typeorm';
import { FILE_FORMATS, type FileFormat } from '../http/media-types.js';
import type { Resource } from '../records/resource.js';
import { VersionedRecord } from '../records/versioned-record.js';
import { JsonSchema } from '../validation/json-schema.decorator.js';

const STATES = ['ambiguous', 'ready', 'applying', 'applied'] as const;

export const FILE_NAME_LENGTH = 255;

export const KEPT_DAYS = 7;
const DAY_MS = 86_400_000;

/** An uploaded file: the planned outcomes of its rows, and later the actual ones. */
@Entity('imports')
@JsonSchema({ description: 'A file of shipments, with counts of its rows by outcome.' })
export class Import extends VersionedRecord {
  @JsonSchema({ description: 'Format of the file.', enum: FILE_FORMATS, examples: ['csv'] })
  @Column('varchar', { length: 8 })
  format!: FileFormat;

  @JsonSchema({
    description: 'Name of the file, if its sender told it (`fileName` of the upload).',
    examples: ['shipments.csv'],
  })
  @Column('varchar', { length: FILE_NAME_LENGTH, nullable: true })
  fileName!: string | null;

  @JsonSchema({
    description:
      '`ambiguous`: some cells can be read in several ways, so the file must be uploaded again with `dates` or `decimal`. `ready`: examined, nothing was written. `applying`: the rows are being written. `applied`: every row is written or refused.',
    enum: STATES,
    'x-extensible': true,
    examples: ['ready'],
  })
  @Column('varchar', { length: 16 })
  state!: (typeof STATES)[number];

  @JsonSchema({ description: 'Who sent the file.', examples: ['Ann Porter'] })
  @Column('varchar', { length: 255 })
  createdBy!: string;

  @JsonSchema({ description: 'Number of rows: the sum of the other counts.', examples: [120] })
  @Column('integer')
  rows!: number;

  @JsonSchema({ description: 'Rows that will create a shipment.', examples: [5] })
  @Column('integer')
  toCreate!: number;

  @JsonSchema({ description: 'Rows that will change a shipment.', examples: [12] })
  @Column('integer')
  toChange!: number;

  @JsonSchema({ description: 'Rows that have created a shipment.', examples: [0] })
  @Column('integer')
  created!: number;

  @JsonSchema({
    description: 'Rows that have changed a shipment, and those whose conflict was settled.',
    examples: [0],
  })
  @Column('integer')
  changed!: number;

  @JsonSchema({ description: 'Rows that are skipped, because they change nothing.', examples: [101] })
  @Column('integer')
  unchanged!: number;

  @JsonSchema({ description: 'Refused rows, which the result file contains.', examples: [2] })
  @Column('integer')
  refused!: number;

  @JsonSchema({
    description: `When the import is deleted: ${KEPT_DAYS} days after its upload, or after it was applied. Never while it is \`applying\`.`,
    examples: ['2026-03-08T09:30:00.000Z'],
  })
  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: string;
}

/** Contains no row data, which requires the scope to write shipments: every reader of shipments sees imports in the feed. */
export const IMPORTS: Resource<Import> = {
  entity: Import,
  name: 'import',
  path: '/v1/imports',
  parameter: 'importID',
  tables: {
    import_rows: 'SELECT,INSERT,UPDATE,DELETE',
  },
  readScope: 'shipments:read',
  exampleID: '0199c3a0-8a10-7f41-8c95-2bae7f3e4d5c',
  sortIndexes: { createdAt: {} },
  retention: `Imports are kept for ${KEPT_DAYS} days after their upload, and for ${KEPT_DAYS} days after they are applied.`,
};

/** The `expiresAt` of an import that is uploaded or applied now. */
export function keptUntil(): string {
  return new Date(Date.now() + KEPT_DAYS * DAY_MS).toISOString();
}

/** Whether an import may be deleted. Work in progress does not expire. */
export function isExpired({ state, expiresAt }: Pick<Import, 'state' | 'expiresAt'>): boolean {
  return state !== 'applying' && Date.parse(expiresAt) <= Date.now();
}
