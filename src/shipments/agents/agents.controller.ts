import { Controller, Delete, Get, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import { NeedsScope } from '../../auth/access.js';
import type { Transaction } from '../../database/transaction.js';
import { InTransaction, LockedRow, Writes } from '../../writes/writes.decorator.js';
import { writesOf } from '../../writes/write-rule.js';
import { Fields } from '../../writes/fields.pipe.js';
import { PagingQuery } from '../../records/paging.js';
import { QueryOf } from '../../http/query.guard.js';
import { Operation, Stability, Tag } from '../../openapi/operation.js';
import { listOf, recordOf } from '../../openapi/response.js';
import { Problem } from '../../problem/problem.js';
import type { Deleted } from '../../records/deleted-records.js';
import type { PendingWrite } from '../../records/pending-write.js';
import type { Rejections } from '../../records/resource.js';
import type { Locked } from '../../records/records.js';
import type { Page, RenderedRecord } from '../../records/rendered-record.js';
import { ShipmentChildrenService } from '../shipment-children.service.js';
import { SHIPMENTS } from '../../model/shipment.entity.js';
import { AgentFields } from './dto/agent-fields.js';
import { Agent, AGENTS } from '../../model/agent.entity.js';

const WRITES = writesOf({ resource: AGENTS, parent: SHIPMENTS, scope: 'shipments:write', fields: AgentFields });

@Controller('v1')
@Tag('Agents', 'People who release or receive the goods of a shipment.')
@Stability('core')
export class AgentsController {
  constructor(private readonly children: ShipmentChildrenService) {}

  @Get('shipments/:shipmentID/agents')
  @NeedsScope('shipments:read')
  @Operation('listAgents', 'List the agents of a shipment', { response: listOf(Agent) })
  list(@Param('shipmentID') shipmentID: string, @QueryOf(PagingQuery) paging: PagingQuery): Promise<Page> {
    return this.children.list(AGENTS, shipmentID, paging);
  }

  @Post('shipments/:shipmentID/agents')
  @Writes(WRITES.create)
  @Operation('createAgent', 'Add an agent to a shipment', {
    response: recordOf(Agent),
    description: 'At most one of each agentType.',
    problems: ['DUPLICATE'],
  })
  async create(
    @InTransaction() transaction: Transaction,
    @Param('shipmentID') shipmentID: string,
    @Fields() fields: AgentFields,
  ): Promise<PendingWrite> {
    const agent = await this.children.create(transaction, AGENTS, shipmentID, fields);
    return agent.rejectedWith(oneOfEachType(fields));
  }

  @Get('agents/:agentID')
  @NeedsScope('shipments:read')
  @Operation('readAgent', 'Read an agent', {
    response: recordOf(Agent),
    description: 'Agents have their own versions.',
  })
  read(@Param('agentID') id: string): Promise<RenderedRecord> {
    return this.children.read(AGENTS, id);
  }

  @Patch('agents/:agentID')
  @Writes(WRITES.update)
  @Operation('updateAgent', 'Change fields of an agent', { response: recordOf(Agent), problems: ['DUPLICATE'] })
  update(@LockedRow() agent: Locked<Agent>, @Fields() fields: Partial<AgentFields>): PendingWrite {
    return agent.update({ ...fields }).rejectedWith(oneOfEachType(fields));
  }

  @Put('agents/:agentID')
  @Writes(WRITES.replace)
  @Operation('replaceAgent', 'Replace an agent', { response: recordOf(Agent), problems: ['DUPLICATE'] })
  replace(@LockedRow() agent: Locked<Agent>, @Fields() fields: AgentFields): PendingWrite {
    return agent.update({ ...fields }).rejectedWith(oneOfEachType(fields));
  }

  @Delete('agents/:agentID')
  @Writes(WRITES.remove)
  @HttpCode(204)
  @Operation('deleteAgent', 'Delete an agent')
  remove(@LockedRow() agent: Locked<Agent>): PendingWrite {
    return agent.remove();
  }

  @Post('agents/:agentID/undelete')
  @Writes(WRITES.undelete)
  @HttpCode(200)
  @Operation('undeleteAgent', 'Restore a deleted agent', {
    response: recordOf(Agent),
    problems: ['PARENT_DELETED', 'DUPLICATE'],
  })
  undelete(@LockedRow() agent: Deleted): PendingWrite {
    return agent.restore();
  }
}

function oneOfEachType({ agentType }: Partial<AgentFields>): Rejections {
  const detail = `The shipment already has a ${String(agentType)}. Change that agent, or delete it first.`;
  return { agents_shipment_id_agent_type_key: () => new Problem('DUPLICATE', detail) };
}
