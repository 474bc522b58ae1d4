import { Check, Column, Entity, ForeignKey, Unique } from 'typeorm';
import type { Resource } from '../../records/resource.js';
import { VersionedRecord } from '../../records/versioned-record.js';
import { Shipment } from '../shipment.entity.js';

export const AGENT_TYPES = ['RELEASING_AGENT', 'RECEIVING_AGENT'] as const;
export type AgentType = (typeof AGENT_TYPES)[number];

export const AGENT_LENGTHS = { name: 100, email: 254, phone: 32 };

@Entity('agents')
@Unique(['shipmentID', 'agentType'])
@Check('agents_agent_type_check', `agent_type IN (${AGENT_TYPES.map((type) => `'${type}'`).join(', ')})`)
@Check('agents_contact_check', 'num_nonnulls(email, phone) > 0')
export class Agent extends VersionedRecord {
  @ForeignKey(() => Shipment, { onDelete: 'CASCADE' })
  @Column('uuid')
  shipmentID!: string;

  @Column('varchar', { length: 32 })
  agentType!: AgentType;

  @Column('varchar', { length: AGENT_LENGTHS.name })
  firstName!: string;

  @Column('varchar', { length: AGENT_LENGTHS.name, nullable: true })
  lastName!: string | null;

  @Column('varchar', { length: AGENT_LENGTHS.email, nullable: true })
  email!: string | null;

  @Column('varchar', { length: AGENT_LENGTHS.phone, nullable: true })
  phone!: string | null;
}

export const AGENTS: Resource<Agent> = {
  entity: Agent,
  name: 'agent',
  path: '/v1/agents',
  parameter: 'agentID',
  readScope: 'shipments:read',
};
