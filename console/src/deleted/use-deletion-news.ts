import type { Deletion } from '@waybill/client';
import { useEffect, useState } from 'react';
import { live } from '../live/live.js';

/** When records were deleted and restored last, by their ids. */
interface Times {
  readonly deleted: ReadonlyMap<string, string>;
  readonly restored: ReadonlyMap<string, string>;
}

const NONE: Times = { deleted: new Map(), restored: new Map() };

/**
 * What happened since a list of deletions was read. The list does not change while somebody reads it: restored records stay, marked, and new
 * deletions are counted. Agents and services are usually deleted along with a shipment, so they count only in a list of them.
 */
export function useDeletionNews(
  shown: readonly Deletion[],
  kinds: readonly Deletion['resource'][] = ['move', 'shipment'],
) {
  const [{ deleted, restored }, setTimes] = useState(NONE);
  const key = kinds.join();
  useEffect(
    () =>
      live.onEvents((events) => {
        const timesOf = (change: string) =>
          events
            .filter(({ type, data }) => type.endsWith(change) && (change !== '.deleted' || key.includes(data.resource)))
            .map(({ time, data }) => [data.resourceID, time] as const);
        setTimes((before) => ({
          deleted: new Map([...before.deleted, ...timesOf('.deleted')]),
          restored: new Map([...before.restored, ...timesOf('.restored')]),
        }));
      }),
    [key],
  );
  const isRestored = (id: string, since: string) => (restored.get(id) ?? '') > since;
  const known = new Map(shown.map(({ resourceID, deletedAt }) => [resourceID, deletedAt]));
  const isNew = ([id, at]: readonly [string, string]) => at > (known.get(id) ?? '') && !isRestored(id, at);
  return { isRestored, newOnes: [...deleted].filter(isNew).length };
}
