import { Check, Column, Entity } from 'typeorm';
import type { Resource } from '../records/resource.js';
import { VersionedRecord } from '../records/versioned-record.js';
import { JsonSchema } from '../validation/json-schema.decorator.js';

export const FORMATS = ['csv', 'jsonl'] as const;
export type Format = (typeof FORMATS)[number];

const STATES = ['ready', 'applying', 'applied'] as const;

/** How many rows are what; the sum is `rows`. */
export const COUNTS = ['toCreate', 'toChange', 'created', 'changed', 'unchanged', 'refused'] as const;
export type Counts = Readonly<Record<(typeof COUNTS)[number], number>>;

export const KEPT_DAYS = 7;

function oneOf(values: readonly string[]): string {
  return `IN (${values.map((value) => `'${value}'`).join(', ')})`;
}

/** A file that came to be imported: what its rows would do, and then what they have done. */
@Entity('imports')
@Check('imports_format_check', `format ${oneOf(FORMATS)}`)
@Check('imports_state_check', `state ${oneOf(STATES)}`)
@Check('imports_counts_check', 'rows = to_create + to_change + created + changed + unchanged + refused')
@Check('imports_applied_check', "state <> 'applied' OR to_create + to_change = 0")
@JsonSchema({ description: 'A file of shipments, and how many of its rows do what.' })
export class Import extends VersionedRecord {
  @JsonSchema({ description: 'What the file is written in.', enum: FORMATS, examples: ['csv'] })
  @Column('varchar', { length: 8 })
  format!: Format;

  @JsonSchema({
    description:
      '`ready`: looked through, and nothing was written. `applying`: its rows are being written. `applied`: every row is done or refused.',
    enum: STATES,
    examples: ['ready'],
  })
  @Column('varchar', { length: 16 })
  state!: (typeof STATES)[number];

  @JsonSchema({ description: 'Who sent the file.', examples: ['Ann Porter'] })
  @Column('varchar', { length: 255 })
  createdBy!: string;

  @JsonSchema({ description: 'How many rows the file has: the sum of the other counts.', examples: [120] })
  @Column('integer')
  rows!: number;

  @JsonSchema({ description: 'Rows that are to create a shipment.', examples: [5] })
  @Column('integer')
  toCreate!: number;

  @JsonSchema({ description: 'Rows that are to change a shipment.', examples: [12] })
  @Column('integer')
  toChange!: number;

  @JsonSchema({ description: 'Rows that have created a shipment.', examples: [0] })
  @Column('integer')
  created!: number;

  @JsonSchema({ description: 'Rows that have changed a shipment.', examples: [0] })
  @Column('integer')
  changed!: number;

  @JsonSchema({ description: 'Rows that are passed over, because there is nothing to change.', examples: [101] })
  @Column('integer')
  unchanged!: number;

  @JsonSchema({ description: 'Rows that were refused; the result file has them.', examples: [2] })
  @Column('integer')
  refused!: number;

  @JsonSchema({
    description: `When the import is deleted: ${KEPT_DAYS} days after it was made.`,
    examples: ['2026-03-08T09:30:00.000Z'],
  })
  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: string;
}

/** As Express writes it. */
export const APPLY_PATH = '/v1/imports/:importID/apply';

/** Without the data of its rows, which only those may see who can write shipments: whoever reads shipments sees it in the feed. */
export const IMPORTS: Resource<Import> = {
  entity: Import,
  name: 'import',
  path: '/v1/imports',
  parameter: 'importID',
  readScope: 'shipments:read',
  exampleID: '0199c3a0-8a10-7f41-8c95-2bae7f3e4d5c',
  sortIndexes: {},
};
