import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ScopeCheck } from '../auth/scope.guard.js';
import { MOVES } from '../moves/move.entity.js';
import { Records, RESOURCES } from '../records/records.js';
import type { Resource } from '../records/resource.js';
import type { EventStreamQuery } from './dto/event-queries.js';
import type { Event } from './event.js';

/** Which events a request asks for, and which of them its caller may see. */
export interface EventFilter {
  readonly types?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  /** A record and what belongs to it. */
  readonly recordID?: string | undefined;
  /** A move, its shipments and what belongs to them; null for a move that does not exist. */
  readonly moveID?: string | null | undefined;
  /** The kinds of records that the caller may read, unless that is all of them. */
  readonly readable?: readonly string[] | undefined;
}

/** Whether the caller is told of an event. While a new version is rolled out, the old one passes over kinds that it does not know. */
export function matches(event: Event, { types, resources, recordID, moveID, readable }: EventFilter): boolean {
  return (
    event.resource !== undefined &&
    (readable === undefined || readable.includes(event.resource.name)) &&
    (types === undefined || types.includes(event.type)) &&
    (resources === undefined || resources.includes(event.resource.name)) &&
    (recordID === undefined || event.recordID === recordID || event.rootID === recordID) &&
    (moveID === undefined || event.moveID === moveID)
  );
}

/** Whether it can leave events out. */
export function isNarrow(filter: EventFilter): boolean {
  return Object.values(filter).some((condition) => condition !== undefined);
}

/** Makes the filter of a request. */
@Injectable()
export class EventFilters {
  constructor(
    private readonly records: Records,
    private readonly scopes: ScopeCheck,
    @Inject(RESOURCES) private readonly resources: readonly Resource[],
  ) {}

  async of(request: Request, { type, resource, resourceID, moveID }: EventStreamQuery): Promise<EventFilter> {
    const readable = this.resources.filter(({ readScope }) => this.scopes.allows(request, readScope));
    return {
      types: type,
      resources: resource,
      recordID: resourceID,
      // Null, which no event has, for a code that is no move's.
      moveID: moveID && ((await this.records.findID(MOVES, moveID)) ?? null),
      readable: readable.length === this.resources.length ? undefined : readable.map(({ name }) => name),
    };
  }
}
