import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import type { Resource } from '../../records/resource.js';
import { VersionedRecord } from '../../records/versioned-record.js';
import { Shipment } from '../shipment.entity.js';

export const SERVICE_LENGTHS = { code: 32, description: 2000 };

@Entity('services')
@Index('services_shipment_id_idx', ['shipmentID', 'id'])
@Check('services_code_check', `code <> ''`)
export class Service extends VersionedRecord {
  @ForeignKey(() => Shipment, { onDelete: 'CASCADE' })
  @Column('uuid')
  shipmentID!: string;

  @Column('varchar', { length: SERVICE_LENGTHS.code })
  code!: string;

  @Column('varchar', { length: SERVICE_LENGTHS.description, nullable: true })
  description!: string | null;
}

export const SERVICES: Resource<Service> = {
  entity: Service,
  name: 'service',
  path: '/v1/services',
  parameter: 'serviceID',
  readScope: 'shipments:read',
};
