import { Column, Entity } from 'typeorm';
import type { Resource } from '../records/resource.js';
import { VersionedRecord } from '../records/versioned-record.js';
import { JsonSchema } from '../validation/json-schema.decorator.js';
import { SHIPMENTS } from './shipment.entity.js';

export const SERVICE_LENGTHS = { code: 32, description: 2000 };

@Entity('services')
@JsonSchema({ description: 'A service for a shipment.' })
export class Service extends VersionedRecord {
  @JsonSchema({ description: 'The shipment that the service belongs to.', examples: [SHIPMENTS.exampleID] })
  @Column('uuid')
  shipmentID!: string;

  @JsonSchema({ description: 'Code of the service.', examples: ['PACK'] })
  @Column('varchar', { length: SERVICE_LENGTHS.code })
  code!: string;

  @JsonSchema({ description: 'Description of the service.', examples: ['Pack the china with care.'] })
  @Column('varchar', { length: SERVICE_LENGTHS.description, nullable: true })
  description!: string | null;
}

export const SERVICES: Resource<Service> = {
  entity: Service,
  name: 'service',
  path: '/v1/services',
  parameter: 'serviceID',
  readScope: 'shipments:read',
  exampleID: '0199c3a0-ac30-7d7f-8fa8-5ed1ac6b7a8f',
  selectiveFilter: 'shipmentID',
  undelete: { parent: { resource: SHIPMENTS, column: 'shipment_id', isRoot: true } },
  sortIndexes: { createdAt: {} },
};
