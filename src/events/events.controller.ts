import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { NeedsAnyScope } from '../auth/access.js';
import { Produces } from '../http/accept.guard.js';
import { QueryOf } from '../http/query.guard.js';
import { Operation, Tag } from '../openapi/operation.js';
import { Problem } from '../problem/problem.js';
import type { Page } from '../records/rendered-record.js';
import { readCursor } from './cursor.js';
import { DEFAULT_LIMIT, EventListQuery, EventStreamQuery } from './dto/event-queries.js';
import { EventFilters } from './event-filter.js';
import { EventStreams } from './event-streams.js';
import { EventsService } from './events.service.js';
import { EVENT, EVENT_STREAM } from './event-schemas.js';

@Controller('v1/events')
@Tag('Events', 'What happened, in one order and without gaps, for programs that follow.')
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly filters: EventFilters,
    private readonly streams: EventStreams,
  ) {}

  @Get()
  @NeedsAnyScope('shipments:read', 'moves:read')
  @Operation('listEvents', 'Read what happened, oldest first', {
    events: 'page',
    other: EVENT,
    problems: ['EVENTS_GONE'],
  })
  async list(@Req() request: Request, @QueryOf(EventListQuery) query: EventListQuery): Promise<Page> {
    const { after, limit = DEFAULT_LIMIT, wait = 0 } = query;
    return this.events.page(request, { after, limit, wait }, await this.filters.of(request, query));
  }

  /** EventSource repeats the URL of its first request, so that the id of the last event it got counts more than `after`. */
  @Get('stream')
  @NeedsAnyScope('shipments:read', 'moves:read')
  @Produces('text/event-stream')
  @Operation('followEvents', 'Follow what happens, by server-sent events', {
    events: 'stream',
    other: EVENT_STREAM,
    description:
      'The same as `GET /v1/events`, as it happens. The stream ends when the token expires and when the service stops: come back with the last `id` in `Last-Event-ID` or `after`. A client that does not read for 10 seconds is cut off.',
    problems: ['EVENTS_GONE', 'INVALID_HEADER'],
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

/** The header that EventSource sends by itself; empty when it has not got an id yet. */
function lastEventID({ headers }: Request): string | undefined {
  const id = headers['last-event-id'];
  if (id === undefined || id === '') return undefined;
  if (typeof id === 'string' && readCursor(id) !== undefined) return id;
  throw new Problem(
    'INVALID_HEADER',
    'The header Last-Event-ID must be the id of an event, as a stream or a page has it.',
  );
}
