import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import type { PagingQuery } from '../../http/paging.js';
import { violatedConstraint } from '../../problem/database-problem.js';
import { Problem } from '../../problem/problem.js';
import type { Locked } from '../../records/locked.js';
import type { Page, Stored } from '../../records/stored.js';
import { ShipmentChildrenService } from '../shipment-children.service.js';
import { AGENTS, type Agent } from './agent.entity.js';
import type { AgentFields } from './dto/agent-fields.js';

@Injectable()
export class AgentsService {
  constructor(private readonly children: ShipmentChildrenService) {}

  list(shipmentID: string, paging: PagingQuery): Promise<Page> {
    return this.children.list(AGENTS, shipmentID, paging);
  }

  read(id: string): Promise<Stored> {
    return this.children.read(AGENTS, id);
  }

  create(transaction: Transaction, shipmentID: string, fields: AgentFields): Promise<Stored> {
    return oneOfEachType(fields, this.children.create(transaction, AGENTS, shipmentID, fields));
  }

  change(agent: Locked<Agent>, fields: Partial<AgentFields>): Promise<Stored> {
    return oneOfEachType(fields, agent.update({ ...fields }));
  }

  remove(agent: Locked<Agent>): Promise<void> {
    return agent.remove();
  }
}

async function oneOfEachType({ agentType }: Partial<AgentFields>, writing: Promise<Stored>): Promise<Stored> {
  try {
    return await writing;
  } catch (error) {
    if (violatedConstraint(error) !== 'agents_shipment_id_agent_type_key') throw error;
    throw new Problem(
      'DUPLICATE',
      `The shipment has a ${String(agentType)} already. Change that one, or delete it first.`,
    );
  }
}
