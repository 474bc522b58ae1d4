import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ScopeCheck } from '../auth/scope.guard.js';
import { MOVES } from '../moves/move.entity.js';
import { Records, RESOURCES } from '../records/records.js';
import type { Resource } from '../records/resource.js';
import type { EventStreamQuery } from './dto/event-queries.js';
import type { Event } from './event.js';

/** Which events a request asks for, among those that its caller may see. */
export interface EventFilter {
  /** The kinds of records. While a new version is rolled out, the old one leaves out the kinds that it does not know. */
  readonly kinds: readonly string[];
  readonly types?: readonly string[] | undefined;
  /** A record and what belongs to it. */
  readonly recordID?: string | undefined;
  /** A move, its shipments and what belongs to them. */
  readonly moveID?: string | undefined;
}

/** Whether an event in memory is asked for; EVENTS_AFTER has the same conditions. */
export function matches(event: Event, { kinds, types, recordID, moveID }: EventFilter): boolean {
  return (
    kinds.includes(event.kind) &&
    (types === undefined || types.includes(event.type)) &&
    (recordID === undefined || event.recordID === recordID || event.rootID === recordID) &&
    (moveID === undefined || event.moveID === moveID)
  );
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
    const move = moveID && (await this.records.findID(MOVES, moveID));
    // A moveCode that no move has matches nothing.
    if (moveID !== undefined && move === undefined) return { kinds: [] };
    const kinds = this.resources
      .filter(({ name, readScope }) => resource?.includes(name) !== false && this.scopes.allows(request, readScope))
      .map(({ name }) => name);
    return { kinds, types: type, recordID: resourceID, moveID: move };
  }
}
