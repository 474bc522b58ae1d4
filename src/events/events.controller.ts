import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { NeedsScope } from '../auth/access.js';
import { Produces } from '../http/accept.guard.js';
import { QueryOf } from '../http/query.guard.js';
import { Operation, Stability, Tag } from '../openapi/operation.js';
import { eventsOf, streamOf } from '../openapi/response.js';
import { Problem } from '../problem/problem.js';
import type { Page } from '../records/rendered-record.js';
import { readCursor } from './cursor.js';
import { EventListQuery, EventStreamQuery } from './dto/event-queries.js';
import { EventFilters } from './event-filter.js';
import { EventStreams } from './event-streams.js';
import { EventsService } from './events.service.js';
import { EVENT, EVENT_STREAM } from './event-schemas.js';
import { EVENTS_GONE } from './events-gone.js';

@Controller('v1/events')
@Tag('Events', 'The change feed: all changes in one order and without gaps.')
@Stability('supported')
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly filters: EventFilters,
    private readonly streams: EventStreams,
  ) {}

  @Get()
  @NeedsScope(['shipments:read', 'moves:read'])
  @Operation('listEvents', 'List events, oldest first', {
    response: eventsOf(EVENT),
    problems: [EVENTS_GONE],
  })
  async list(@Req() request: Request, @QueryOf(EventListQuery) query: EventListQuery): Promise<Page> {
    return this.events.page(request, query, await this.filters.of(request, query));
  }

  /** EventSource repeats the URL of its first request, so `Last-Event-ID` overrides `after`. */
  @Get('stream')
  @NeedsScope(['shipments:read', 'moves:read'])
  @Produces('text/event-stream')
  @Operation('followEvents', 'Follow events by server-sent events', {
    response: streamOf(EVENT_STREAM),
    description:
      'Like `GET /v1/events`, in real time. The stream ends when the token expires or the service stops: reconnect with the last `id` in `Last-Event-ID` or `after`. A client that does not read for 10 seconds is disconnected.',
    problems: [EVENTS_GONE, 'INVALID_HEADER'],
  })
  async follow(
    @Req() request: Request,
    @Res() response: Response,
    @QueryOf(EventStreamQuery) query: EventStreamQuery,
  ): Promise<void> {
    const after = lastEventID(request) ?? query.after;
    await this.streams.serve(request, response, after, await this.filters.of(request, query));
  }
}

/** The header that EventSource sends automatically; empty before the first id. */
function lastEventID({ headers }: Request): string | undefined {
  const id = headers['last-event-id'];
  if (id === undefined || id === '') return undefined;
  if (typeof id === 'string' && readCursor(id) !== undefined) return id;
  throw new Problem('INVALID_HEADER', 'The header Last-Event-ID must be the id of an event from a stream or a page.');
}
