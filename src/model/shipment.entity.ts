import { Column, Entity } from 'typeorm';
import { MOVE_CODE, MOVES } from './move.entity.js';
import type { Resource } from '../records/resource.js';
import { VersionedRecord } from '../records/versioned-record.js';
import { JsonSchema } from '../validation/json-schema.decorator.js';
import { inAnyCase } from '../validation/json-schema.js';
import { Address } from './address.js';
import { STATUSES, type ShipmentStatus } from './shipment-status.js';

export const SHIPMENT_TYPE_LENGTH = 64;
export const SHIPMENT_REMARKS_LENGTH = 2000;
export const MAX_POUNDS = 1_000_000;

/** The code of the move and a number that counts up within it. */
const SHIPMENT_CODE = new RegExp(`${MOVE_CODE.source.slice(0, -1)}-(0[1-9]|[1-9][0-9]{1,9})$`);

const POUNDS = { minimum: 1, maximum: MAX_POUNDS };

@Entity('shipments')
@JsonSchema({ description: 'A shipment, which always belongs to a move.' })
export class Shipment extends VersionedRecord {
  @JsonSchema({
    description:
      "A short name to read out: the code of the move and a consecutive number. It never changes, is never reused, and is accepted wherever the shipment's id is, in any case.",
    pattern: SHIPMENT_CODE.source,
    examples: ['K7RM4W-02'],
  })
  @Column('varchar', { length: 17 })
  shipmentCode!: string;

  @JsonSchema({
    description:
      'The move of the shipment, which cannot be changed: its id or, in a request, its moveCode. If omitted, a new move is created.',
    examples: [MOVES.exampleID],
  })
  @Column('uuid')
  moveID!: string;

  @JsonSchema({ description: 'The kind of shipment.', examples: ['HHG'] })
  @Column('varchar', { length: SHIPMENT_TYPE_LENGTH })
  shipmentType!: string;

  @JsonSchema({ description: 'Changed only by updateStatus.', enum: STATUSES, examples: ['SUBMITTED'] })
  @Column('varchar', { length: 32 })
  status!: ShipmentStatus;

  @JsonSchema({ description: 'Why the shipment was rejected; null in every other status.', examples: [null] })
  @Column('varchar', { length: SHIPMENT_REMARKS_LENGTH, nullable: true })
  rejectionReason!: string | null;

  @JsonSchema({ description: 'Date of the pickup, not after the delivery.', examples: ['2026-04-01'] })
  @Column('date', { nullable: true })
  pickupDate!: string | null;

  @JsonSchema({ description: 'Date of the delivery, not before the pickup.', examples: ['2026-04-15'] })
  @Column('date', { nullable: true })
  deliveryDate!: string | null;

  @JsonSchema({ description: 'Pickup address.' })
  @Column(() => Address)
  pickupAddress!: Address | null;

  @JsonSchema({ description: 'Delivery address.' })
  @Column(() => Address)
  destinationAddress!: Address | null;

  @JsonSchema({ description: 'Estimate in whole pounds.', ...POUNDS, examples: [4500] })
  @Column('integer', { nullable: true })
  estimatedWeight!: number | null;

  @JsonSchema({ description: 'Measured weight in whole pounds.', ...POUNDS, examples: [null] })
  @Column('integer', { nullable: true })
  actualWeight!: number | null;

  @JsonSchema({ description: 'Remarks by the customer.', examples: ['Please ring twice.'] })
  @Column('varchar', { length: SHIPMENT_REMARKS_LENGTH, nullable: true })
  customerRemarks!: string | null;
}

export const SHIPMENTS: Resource<Shipment> = {
  entity: Shipment,
  name: 'shipment',
  path: '/v1/shipments',
  parameter: 'shipmentID',
  readScope: 'shipments:read',
  exampleID: '0199c3a0-8a10-7d2f-8b64-1a9f6e2d3c4b',
  alternateKey: { property: 'shipmentCode', pattern: new RegExp(inAnyCase(SHIPMENT_CODE.source)) },
  specialChange: 'statusChanged',
  undelete: { parent: { resource: MOVES, column: 'move_id' } },
  search: { id: 's.id', rows: 'search s WHERE s.id = r.id' },
  selectiveFilter: 'moveID',
  sortIndexes: {
    createdAt: { status: null, shipmentType: null },
    updatedAt: {},
    pickupDate: { status: STATUSES },
    deliveryDate: { status: STATUSES },
  },
};
