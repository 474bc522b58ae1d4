import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import type { PagingQuery } from '../../records/paging.js';
import { Problem } from '../../problem/problem.js';
import type { PendingWrite, Refusals } from '../../records/pending-write.js';
import type { Locked } from '../../records/locked.js';
import type { Page, RenderedRecord } from '../../records/rendered-record.js';
import { ShipmentChildrenService } from '../shipment-children.service.js';
import { AGENTS, type Agent } from './agent.entity.js';
import type { AgentFields } from './dto/agent-fields.js';

@Injectable()
export class AgentsService {
  constructor(private readonly children: ShipmentChildrenService) {}

  list(shipmentID: string, paging: PagingQuery): Promise<Page> {
    return this.children.list(AGENTS, shipmentID, paging);
  }

  read(id: string): Promise<RenderedRecord> {
    return this.children.read(AGENTS, id);
  }

  async create(transaction: Transaction, shipmentID: string, fields: AgentFields): Promise<PendingWrite> {
    const agent = await this.children.create(transaction, AGENTS, shipmentID, fields);
    return agent.refusedWith(oneOfEachType(fields));
  }

  update(agent: Locked<Agent>, fields: Partial<AgentFields>): PendingWrite {
    return agent.update({ ...fields }).refusedWith(oneOfEachType(fields));
  }

  remove(agent: Locked<Agent>): PendingWrite {
    return agent.remove();
  }
}

function oneOfEachType({ agentType }: Partial<AgentFields>): Refusals {
  const detail = `The shipment already has a ${String(agentType)}. Change that agent, or delete it first.`;
  return { agents_shipment_id_agent_type_key: () => new Problem('DUPLICATE', detail) };
}
