import { OneOf, Required, RuleOfRecord, Text } from '../../../validation/rules.js';
import { AGENT_LENGTHS, AGENT_TYPES, type AgentType } from '../../../model/agent.entity.js';

function Contact(): PropertyDecorator {
  return RuleOfRecord<AgentFields>(
    'REQUIRED',
    'is required: set email or phone',
    ({ email, phone }) => email !== null || phone !== null,
  );
}

export class AgentFields {
  static readonly record = 'an agent';
  static readonly readOnly = ['id', 'shipmentID', 'createdAt', 'updatedAt', 'eTag'];
  static readonly examples = {
    New: { agentType: 'RECEIVING_AGENT', firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' },
    Replacement: { agentType: 'RECEIVING_AGENT', firstName: 'Grace', phone: '555-0100' },
    Patch: { phone: '555-0101' },
  };

  @Required()
  @OneOf(AGENT_TYPES)
  agentType!: AgentType;

  @Required()
  @Text(AGENT_LENGTHS.name)
  firstName!: string;

  @Text(AGENT_LENGTHS.name, { blank: true })
  lastName!: string | null;

  @Contact()
  @Text(AGENT_LENGTHS.email)
  email!: string | null;

  @Contact()
  @Text(AGENT_LENGTHS.phone)
  phone!: string | null;
}
