import { Controller, Get } from '@nestjs/common';
import { NeedsScope } from '../auth/access.js';
import { QueryOf } from '../http/query.guard.js';
import { Operation, Stability, Tag } from '../openapi/operation.js';
import { json } from '../openapi/response.js';
import { overviewDays, OverviewQuery } from './dto/overview-query.js';
import { OVERVIEW, OVERVIEW_TEXT } from './overview-schemas.js';
import { OverviewService } from './overview.service.js';

@Controller('v1/overview')
@Tag('Overview', 'What is due, at a glance.')
@Stability('experimental')
export class OverviewController {
  constructor(private readonly overview: OverviewService) {}

  @Get()
  @NeedsScope('shipments:read')
  @Operation('readOverview', 'See what is overdue, due and waiting', {
    response: json(OVERVIEW),
    description: OVERVIEW_TEXT,
  })
  read(@QueryOf(OverviewQuery) query: OverviewQuery): Promise<object> {
    return this.overview.read(overviewDays(query));
  }
}
