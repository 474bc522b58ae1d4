import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ScopeCheck } from '../auth/scope.guard.js';
import { MOVES } from '../model/move.entity.js';
import { Records, RESOURCES } from '../records/records.js';
import type { Resource } from '../records/resource.js';
import { SHIPMENTS } from '../model/shipment.entity.js';
import type { EventStreamQuery } from './dto/event-queries.js';
import type { Event } from './event.js';

/** The requested events, limited to those that the caller may see. */
export interface EventFilter {
  /** The kinds of records; undefined for all, including kinds that only a later version knows. */
  readonly kinds?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
  /** A record and its children. */
  readonly recordID?: string | undefined;
  /** A move, its shipments and their children. */
  readonly moveID?: string | undefined;
  /** Kinds whose events are shown without values: the caller may not read them, but would otherwise miss a number. */
  readonly bareKinds?: readonly string[] | undefined;
}

type Conditions = 'kinds' | 'types' | 'recordID' | 'moveID';

/** Whether an event in memory matches; `matchesSql` has the same conditions. */
export function matches(
  event: Pick<Event, 'kind' | 'type' | 'recordID' | 'rootID' | 'moveID'>,
  { kinds, types, recordID, moveID }: Pick<EventFilter, Conditions>,
): boolean {
  return (
    (kinds === undefined || kinds.includes(event.kind)) &&
    (types === undefined || types.includes(event.type)) &&
    (recordID === undefined || event.recordID === recordID || event.rootID === recordID) &&
    (moveID === undefined || event.moveID === moveID)
  );
}

/** Whether the row `e` of the events matches a filter of which each value is an expression; null for undefined. */
export function matchesSql({ kinds, types, recordID, moveID }: Readonly<Record<Conditions, string>>): string {
  return `
        (${kinds} IS NULL OR e.kind = ANY (${kinds}))
        AND (${types} IS NULL OR e.type = ANY (${types}))
        AND (${recordID} IS NULL OR e.record_id = ${recordID} OR e.root_id = ${recordID})
        AND (${moveID} IS NULL OR e.move_id = ${moveID})`;
}

/** Whether some events may not match. */
export function isRestrictive({ kinds, types, recordID, moveID }: Pick<EventFilter, Conditions>): boolean {
  return [kinds, types, recordID, moveID].some((condition) => condition !== undefined);
}

/** A matching event as the caller may see it. */
export function shown(event: Event, filter: EventFilter | undefined): Event {
  return filter?.bareKinds?.includes(event.kind) ? event.withoutValues() : event;
}

@Injectable()
export class EventFilters {
  constructor(
    private readonly records: Records,
    private readonly scopes: ScopeCheck,
    @Inject(RESOURCES) private readonly resources: readonly Resource[],
  ) {}

  async of(request: Request, { type, resource, resourceID, moveID }: EventStreamQuery): Promise<EventFilter> {
    const move = moveID && (await this.records.findID(MOVES, moveID));
    const recordID = resourceID && (await this.records.findID(SHIPMENTS, resourceID));
    // An unknown code matches nothing.
    if ((moveID !== undefined && move === undefined) || (resourceID !== undefined && recordID === undefined)) {
      return { kinds: [] };
    }
    const requested = this.resources.filter(
      ({ name, readScope }) => resource?.includes(name) !== false && this.scopes.allows(request, readScope),
    );
    // Events of kinds that only a later version knows go to callers who may read all records and do not filter by kind: otherwise
    // an unfiltered reader would miss a number. The same goes for webhooks and keys, which few may read.
    const hidden = this.resources.filter((each) => !requested.includes(each));
    const isEvery = resource === undefined && hidden.every(({ isAdministrative }) => isAdministrative);
    if (!isEvery) return { kinds: requested.map(({ name }) => name), types: type, recordID, moveID: move };
    return { types: type, recordID, moveID: move, bareKinds: hidden.map(({ name }) => name) };
  }
}
