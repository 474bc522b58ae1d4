import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { NeedsAnyScope } from '../auth/access.js';
import { QueryOf } from '../http/query.guard.js';
import { Operation, Tag } from '../openapi/operation.js';
import type { Page } from '../records/stored.js';
import { DEFAULT_LIMIT, EventListQuery } from './dto/event-queries.js';
import { EventFilters } from './event-filter.js';
import { EventsService } from './events.service.js';

@Controller('v1/events')
@Tag('Events', 'What happened, in one order and without gaps, for programs that follow.')
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly filters: EventFilters,
  ) {}

  @Get()
  @NeedsAnyScope('shipments:read', 'moves:read')
  @Operation('listEvents', 'Read what happened, oldest first', { events: 'page', problems: ['EVENTS_GONE'] })
  async list(@Req() request: Request, @QueryOf(EventListQuery) query: EventListQuery): Promise<Page> {
    const { after, limit = DEFAULT_LIMIT, wait = 0 } = query;
    return this.events.page({ after, limit, wait }, await this.filters.of(request, query), untilClosed(request));
  }
}

/** Aborted when the client has gone. */
function untilClosed({ res: response }: Request): AbortSignal {
  const closing = new AbortController();
  response?.once('close', () => closing.abort());
  return closing.signal;
}
