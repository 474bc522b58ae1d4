import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { Move } from '../moves/move.entity.js';
import type { Resource } from '../records/resource.js';
import { BY_EXPRESSION, VersionedRecord } from '../records/versioned-record.js';
import { Address, wholeAddress } from './address.js';
import { STATUSES, type ShipmentStatus } from './shipment-status.js';

export const SHIPMENT_TYPE_LENGTH = 64;
export const SHIPMENT_REMARKS_LENGTH = 2000;
export const MOST_POUNDS = 1_000_000;

@Entity('shipments')
@Index('shipments_move_id_idx', ['moveID', 'id'])
@Index('shipments_status_delivery_date_idx', ['status', 'deliveryDate', 'id'])
@Index('shipments_status_delivery_span_idx', BY_EXPRESSION)
@Index('shipments_shipment_type_status_idx', ['shipmentType', 'status', 'id'])
@Index('shipments_shipment_type_status_delivery_date_idx', ['shipmentType', 'status', 'deliveryDate', 'id'])
@Index('shipments_shipment_type_status_delivery_span_idx', BY_EXPRESSION)
@Index('shipments_status_idx', ['status', 'id'])
@Index('shipments_status_updated_at_idx', ['status', 'updatedAt', 'id'])
@Index('shipments_status_updated_span_idx', BY_EXPRESSION)
@Check('shipments_shipment_type_check', `shipment_type <> ''`)
@Check('shipments_status_check', `status IN (${STATUSES.map((status) => `'${status}'`).join(', ')})`)
@Check('shipments_rejection_reason_check', `(status = 'REJECTED') = (rejection_reason IS NOT NULL)`)
@Check('shipments_dates_check', 'pickup_date <= delivery_date')
@Check('shipments_estimated_weight_check', `estimated_weight BETWEEN 1 AND ${MOST_POUNDS}`)
@Check('shipments_actual_weight_check', `actual_weight BETWEEN 1 AND ${MOST_POUNDS}`)
@Check('shipments_pickup_address_check', wholeAddress('pickup_address'))
@Check('shipments_destination_address_check', wholeAddress('destination_address'))
export class Shipment extends VersionedRecord {
  @ForeignKey(() => Move)
  @Column('uuid')
  moveID!: string;

  @Column('varchar', { length: SHIPMENT_TYPE_LENGTH })
  shipmentType!: string;

  @Column('varchar', { length: 32 })
  status!: ShipmentStatus;

  @Column('varchar', { length: SHIPMENT_REMARKS_LENGTH, nullable: true })
  rejectionReason!: string | null;

  @Column('date', { nullable: true })
  pickupDate!: string | null;

  @Column('date', { nullable: true })
  deliveryDate!: string | null;

  @Column(() => Address)
  pickupAddress!: Address | null;

  @Column(() => Address)
  destinationAddress!: Address | null;

  @Column('integer', { nullable: true })
  estimatedWeight!: number | null;

  @Column('integer', { nullable: true })
  actualWeight!: number | null;

  @Column('varchar', { length: SHIPMENT_REMARKS_LENGTH, nullable: true })
  customerRemarks!: string | null;
}

export const SHIPMENTS: Resource<Shipment> = {
  entity: Shipment,
  name: 'shipment',
  path: '/v1/shipments',
  parameter: 'shipmentID',
  readScope: 'shipments:read',
};
