import { Column, Entity } from 'typeorm';
import type { Resource } from '../records/resource.js';
import { JsonSchema } from '../validation/json-schema.decorator.js';
import { VersionedRecord } from '../records/versioned-record.js';
import { inAnyCase } from '../validation/json-schema.js';

export const ORDER_ID_LENGTH = 64;
export const REMARKS_LENGTH = 2000;

/** Without characters that sound or look alike: no 0 and O, no 1 and I. */
export const MOVE_CODE = /^[A-HJ-NP-Z2-9]{6}$/;

@Entity('moves')
@JsonSchema({ description: 'A move, which groups shipments.' })
export class Move extends VersionedRecord {
  @JsonSchema({
    description: 'A short code that is easy to read out; paths accept it instead of the id, in any case.',
    pattern: MOVE_CODE.source,
    examples: ['K7RM4W'],
  })
  @Column('varchar', { length: 6 })
  moveCode!: string;

  @JsonSchema({ description: "The client's reference for this move.", examples: ['ORD-2026-0042'] })
  @Column('varchar', { length: ORDER_ID_LENGTH, nullable: true })
  orderID!: string | null;

  @JsonSchema({ description: 'Remarks about the move.', examples: ['Third floor, no lift.'] })
  @Column('varchar', { length: REMARKS_LENGTH, nullable: true })
  remarks!: string | null;
}

export const MOVES: Resource<Move> = {
  entity: Move,
  name: 'move',
  path: '/v1/moves',
  parameter: 'moveID',
  readScope: 'moves:read',
  search: {
    id: 's.move_id',
    rows: `(SELECT r.id UNION ALL SELECT child.id FROM shipments child WHERE child.move_id = r.id) own (id),
      LATERAL (SELECT * FROM search WHERE search.id = own.id OFFSET 0) s WHERE true`,
  },
  selectiveFilter: 'orderID',
  sortIndexes: { createdAt: {}, updatedAt: {} },
  alternateKey: { property: 'moveCode', pattern: new RegExp(inAnyCase(MOVE_CODE.source)) },
  undelete: {},
  exampleID: '0199c3a0-7f00-7c1e-9a53-0f8e5d1c2b3a',
};
