import { queryOptions } from '@tanstack/react-query';
import { isProblem, type Event } from '@waybill/client';
import { client } from '../api.js';
import { live } from '../live/live.js';
import { tabOf } from '../own-writes.js';
import { queryClient } from '../queries.js';
import { session } from '../session/session.js';
import { lastVisit } from './last-visit.js';

/** Changes of shipments by others since the last visit. */
export interface Changes {
  /** The latest change of each shipment, the most recent one last. */
  readonly byShipment: ReadonlyMap<string, Event>;
  /** When the first of them was made. */
  readonly since?: string | undefined;
  /** False if there are more changes than the console reads. */
  readonly isComplete: boolean;
  /** The cursor from which the next read continues. */
  readonly next: string;
}

const EVENTS_AT_ONCE = 500;
const MAX_PAGES = 4;

/** Reads a limited part of the feed. A further read continues where the last one ended. */
export function changesQuery() {
  const visit = lastVisit();
  const queryKey = ['changes', visit?.cursor] as const;
  return queryOptions({
    queryKey,
    enabled: visit !== undefined,
    queryFn: async ({ signal }): Promise<Changes> => {
      await live.started;
      const before = queryClient.getQueryData<Changes>(queryKey);
      return readChanges(before ?? nothingAfter(visit?.cursor ?? ''), signal);
    },
  });
}

function nothingAfter(next: string): Changes {
  return { byShipment: new Map(), isComplete: true, next };
}

async function readChanges(before: Changes, signal: AbortSignal): Promise<Changes> {
  let changes = before;
  if (!before.isComplete) return before;
  try {
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const query = { after: changes.next, resource: ['shipment' as const], limit: EVENTS_AT_ONCE, signal };
      const { items, next } = await client.events.list(query).page();
      const isEnd = next === changes.next;
      changes = withEvents({ ...changes, next }, items.filter(isByOthers));
      if (isEnd) return changes;
    }
  } catch (error) {
    // The events after the last visit were archived.
    if (!isProblem(error, 'EVENTS_GONE')) throw error;
  }
  return { ...changes, isComplete: false };
}

function withEvents(changes: Changes, events: readonly Event[]): Changes {
  const byShipment = new Map(changes.byShipment);
  for (const event of events) {
    byShipment.delete(event.data.resourceID);
    byShipment.set(event.data.resourceID, event);
  }
  return { ...changes, byShipment, since: changes.since ?? events[0]?.time };
}

function isByOthers({ type, time, data: { resourceID, changedBy } }: Event): boolean {
  return !type.endsWith('.erased') && changedBy !== session.name && tabOf(resourceID, time) === undefined;
}
