import { Check, Column, Entity, Index, Unique } from 'typeorm';
import type { Resource } from '../records/resource.js';
import { BY_EXPRESSION, VersionedRecord } from '../records/versioned-record.js';

export const ORDER_ID_LENGTH = 64;
export const REMARKS_LENGTH = 2000;

@Entity('moves')
@Unique(['moveCode'])
@Index('moves_order_id_idx', ['orderID', 'id'])
@Index('moves_updated_at_idx', ['updatedAt', 'id'])
@Index('moves_updated_span_idx', BY_EXPRESSION)
@Check('moves_move_code_check', `move_code ~ '^[A-HJ-NP-Z2-9]{6}$'`)
export class Move extends VersionedRecord {
  @Column('varchar', { length: 6 })
  moveCode!: string;

  @Column('varchar', { length: ORDER_ID_LENGTH, nullable: true })
  orderID!: string | null;

  @Column('varchar', { length: REMARKS_LENGTH, nullable: true })
  remarks!: string | null;
}

export const MOVES: Resource<Move> = {
  entity: Move,
  name: 'move',
  path: '/v1/moves',
  parameter: 'moveID',
  readScope: 'moves:read',
  alternateKey: { property: 'moveCode', pattern: /^[A-HJ-NP-Z2-9]{6}$/ },
};
