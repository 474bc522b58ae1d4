import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { NeedsScope } from '../auth/access.js';
import { QueryOf } from '../http/query.guard.js';
import { Move, MOVES } from '../moves/move.entity.js';
import { Operation, Tag } from '../openapi/operation.js';
import type { Deleted } from '../records/deleted-records.js';
import type { PendingWrite } from '../records/pending-write.js';
import type { Page } from '../records/rendered-record.js';
import { Agent, AGENTS } from '../shipments/agents/agent.entity.js';
import { Service, SERVICES } from '../shipments/services/service.entity.js';
import { Shipment, SHIPMENTS } from '../shipments/shipment.entity.js';
import { undeleteOf } from '../writes/write-rule.js';
import { LockedRow, Writes } from '../writes/writes.decorator.js';
import { DELETION } from './deletion-schemas.js';
import { DeletionListQuery } from './deletion-queries.js';
import { DeletionsService } from './deletions.service.js';

const UNDELETE_TEXT =
  'Brings the record back with its id, its code and its last values, as a new version. `If-Match` names the deletion by its `deletionETag`, which `GET /v1/deletions` lists.';

const PROBLEMS = ['NOT_DELETED', 'NOT_KEPT', 'ERASED'] as const;

@Controller('v1')
@Tag('Deletions', 'Deleted records, which can be restored.')
export class DeletionsController {
  constructor(private readonly deletions: DeletionsService) {}

  @Get('deletions')
  @NeedsScope(['shipments:read', 'moves:read'])
  @Operation('listDeletions', 'List the deletions that can be undone', {
    list: DELETION,
    description:
      'Deleted moves, shipments, agents and services with their last values, as far as the caller may read them, until the month of the deletion is archived. A page can have fewer deletions than `limit` and still have a next page.',
  })
  list(@Req() request: Request, @QueryOf(DeletionListQuery) query: DeletionListQuery): Promise<Page> {
    return this.deletions.page(request, query);
  }

  @Post('moves/:moveID/undelete')
  @Writes(undeleteOf(MOVES, 'moves:write'))
  @HttpCode(200)
  @Operation('undeleteMove', 'Restore a deleted move', {
    record: Move,
    description: `${UNDELETE_TEXT} Its shipments were deleted before it, and come back one by one.`,
    problems: [...PROBLEMS, 'DUPLICATE'],
  })
  undeleteMove(@LockedRow() move: Deleted): PendingWrite {
    return move.restore();
  }

  @Post('shipments/:shipmentID/undelete')
  @Writes(undeleteOf(SHIPMENTS, 'shipments:write'))
  @HttpCode(200)
  @Operation('undeleteShipment', 'Restore a deleted shipment', {
    record: Shipment,
    description: `${UNDELETE_TEXT} The agents and services that were deleted along with it come back, too.`,
    problems: [...PROBLEMS, 'PARENT_DELETED', 'DUPLICATE'],
  })
  undeleteShipment(@LockedRow() shipment: Deleted): PendingWrite {
    return shipment.restore();
  }

  @Post('agents/:agentID/undelete')
  @Writes(undeleteOf(AGENTS, 'shipments:write'))
  @HttpCode(200)
  @Operation('undeleteAgent', 'Restore a deleted agent', {
    record: Agent,
    description: UNDELETE_TEXT,
    problems: [...PROBLEMS, 'PARENT_DELETED', 'DUPLICATE'],
  })
  undeleteAgent(@LockedRow() agent: Deleted): PendingWrite {
    return agent.restore();
  }

  @Post('services/:serviceID/undelete')
  @Writes(undeleteOf(SERVICES, 'shipments:write'))
  @HttpCode(200)
  @Operation('undeleteService', 'Restore a deleted service', {
    record: Service,
    description: UNDELETE_TEXT,
    problems: [...PROBLEMS, 'PARENT_DELETED'],
  })
  undeleteService(@LockedRow() service: Deleted): PendingWrite {
    return service.restore();
  }
}
