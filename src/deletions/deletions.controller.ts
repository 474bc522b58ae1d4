import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { NeedsScope } from '../auth/access.js';
import { QueryOf } from '../http/query.guard.js';
import { Operation, Stability, Tag } from '../openapi/operation.js';
import { listOf } from '../openapi/response.js';
import type { Page } from '../records/rendered-record.js';
import { DELETION } from './deletion-schemas.js';
import { DeletionListQuery } from './deletion-queries.js';
import { DeletionsService } from './deletions.service.js';

@Controller('v1/deletions')
@Tag('Deletions', 'Deleted records, which can be restored.')
@Stability('supported')
export class DeletionsController {
  constructor(private readonly deletions: DeletionsService) {}

  @Get()
  @NeedsScope(['shipments:read', 'moves:read'])
  @Operation('listDeletions', 'List the deletions that can be undone', {
    response: listOf(DELETION),
    description:
      'Deleted records with their last values, as far as the caller may read them, until the month of the deletion is archived. A page can have fewer deletions than `limit` and still have a next page.',
  })
  list(@Req() request: Request, @QueryOf(DeletionListQuery) query: DeletionListQuery): Promise<Page> {
    return this.deletions.page(request, query);
  }
}
