import { Controller, Delete, Get, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import { NeedsScope } from '../../auth/access.js';
import { Creates, IfMatch, IfMatchOptional, LockedRow } from '../../etag/if-match.guard.js';
import { Fields } from '../../fields/fields.decorator.js';
import { PAGING, type PagingQuery } from '../../http/paging.js';
import { QueryValues, TakesQuery } from '../../http/query.guard.js';
import type { Change } from '../../records/change.js';
import type { Locked } from '../../records/locked.js';
import type { Page, Stored } from '../../records/stored.js';
import { SHIPMENTS } from '../shipment.entity.js';
import { AgentFields } from './dto/agent-fields.js';
import { AGENTS, type Agent } from './agent.entity.js';
import { AgentsService } from './agents.service.js';

@Controller('v1')
export class AgentsController {
  constructor(private readonly agents: AgentsService) {}

  @Get('shipments/:shipmentID/agents')
  @NeedsScope('shipments:read')
  @TakesQuery(PAGING)
  list(@Param('shipmentID') shipmentID: string, @QueryValues() paging: PagingQuery): Promise<Page> {
    return this.agents.list(shipmentID, paging);
  }

  @Post('shipments/:shipmentID/agents')
  @NeedsScope('shipments:write')
  @Creates(SHIPMENTS)
  create(@Param('shipmentID') shipmentID: string, @Fields(AgentFields) fields: AgentFields): Change {
    return this.agents.create(shipmentID, fields);
  }

  @Get('agents/:agentID')
  @NeedsScope('shipments:read')
  read(@Param('agentID') id: string): Promise<Stored> {
    return this.agents.read(id);
  }

  @Patch('agents/:agentID')
  @NeedsScope('shipments:write')
  @IfMatch(AGENTS)
  update(@LockedRow() agent: Locked<Agent>, @Fields(AgentFields) fields: Partial<AgentFields>): Change {
    return this.agents.update(agent, fields);
  }

  @Put('agents/:agentID')
  @NeedsScope('shipments:write')
  @IfMatch(AGENTS)
  replace(@LockedRow() agent: Locked<Agent>, @Fields(AgentFields) fields: AgentFields): Change {
    return this.agents.update(agent, fields);
  }

  @Delete('agents/:agentID')
  @NeedsScope('shipments:write')
  @HttpCode(204)
  @IfMatchOptional(AGENTS)
  remove(@LockedRow() agent: Locked<Agent>): Change {
    return this.agents.remove(agent);
  }
}
