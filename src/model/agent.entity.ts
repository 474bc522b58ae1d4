import { Column, Entity } from 'typeorm';
import type { Resource } from '../records/resource.js';
import { VersionedRecord } from '../records/versioned-record.js';
import { JsonSchema } from '../validation/json-schema.decorator.js';
import { SHIPMENTS } from './shipment.entity.js';
import { Problem } from '../problem/problem.js';

export const AGENT_TYPES = ['RELEASING_AGENT', 'RECEIVING_AGENT'] as const;
export type AgentType = (typeof AGENT_TYPES)[number];

export const AGENT_LENGTHS = { name: 100, email: 254, phone: 32 };

@Entity('agents')
@JsonSchema({ description: 'A person who releases or receives the goods of a shipment.' })
export class Agent extends VersionedRecord {
  @JsonSchema({ description: 'The shipment that the agent acts for.', examples: [SHIPMENTS.exampleID] })
  @Column('uuid')
  shipmentID!: string;

  @JsonSchema({
    description: 'Releases or receives the goods; one of each per shipment.',
    enum: AGENT_TYPES,
    examples: ['RECEIVING_AGENT'],
  })
  @Column('varchar', { length: 32 })
  agentType!: AgentType;

  @JsonSchema({ description: 'Given name.', examples: ['Grace'] })
  @Column('varchar', { length: AGENT_LENGTHS.name })
  firstName!: string;

  @JsonSchema({ description: 'Family name.', examples: ['Hopper'] })
  @Column('varchar', { length: AGENT_LENGTHS.name, nullable: true })
  lastName!: string | null;

  @JsonSchema({
    description: 'Email address. An agent has an email address, a phone number or both.',
    examples: ['grace@example.com'],
  })
  @Column('varchar', { length: AGENT_LENGTHS.email, nullable: true })
  email!: string | null;

  @JsonSchema({
    description: 'Phone number. An agent has an email address, a phone number or both.',
    examples: ['555-0100'],
  })
  @Column('varchar', { length: AGENT_LENGTHS.phone, nullable: true })
  phone!: string | null;
}

export const AGENTS: Resource<Agent> = {
  entity: Agent,
  name: 'agent',
  path: '/v1/agents',
  parameter: 'agentID',
  readScope: 'shipments:read',
  exampleID: '0199c3a0-9b20-7c6e-9e97-4dc09b5a6f7e',
  selectiveFilter: 'shipmentID',
  undelete: {
    parent: { resource: SHIPMENTS, column: 'shipment_id', isRoot: true },
    rejections: {
      agents_shipment_id_agent_type_key: () =>
        new Problem('DUPLICATE', 'The shipment has another agent of this type by now. Delete that agent first.'),
    },
  },
  sortIndexes: { createdAt: {} },
};
