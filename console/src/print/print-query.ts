import { queryOptions } from '@tanstack/react-query';
import type { Shipment } from '@waybill/client';
import { client } from '../api.js';
import { live } from '../live/live.js';
import type { HistoryOf } from '../queries.js';
import { session } from '../session/session.js';

/** A shipment, and who made the version that is shown. */
export interface Waybill {
  readonly shipment: Shipment;
  readonly author: string | undefined;
}

export interface Waybills {
  readonly waybills: readonly Waybill[];
  /** Whether the move has more shipments than are printed at once. */
  readonly hasMore: boolean;
}

export const MAX_WAYBILLS = 200;
/** The newest entries of a history, among which that of the current version is. */
const ENTRIES = 100;

/** Read anew each time, because paper cannot follow changes. */
export function printQuery(printed: HistoryOf) {
  return queryOptions({
    queryKey: ['print', printed.kind, printed.id],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<Waybills> => {
      await live.started;
      const found = await shipmentsOf(printed, signal);
      const shown = found.slice(0, MAX_WAYBILLS);
      const waybills = await Promise.all(
        shown.map(async (shipment) => ({ shipment, author: await authorOf(shipment, signal) })),
      );
      return { waybills, hasMore: found.length > shown.length };
    },
  });
}

/** At most one more than is printed. */
async function shipmentsOf({ kind, id }: HistoryOf, signal: AbortSignal): Promise<Shipment[]> {
  const expand = [...(session.can('moves:read') ? (['move'] as const) : []), 'agents' as const, 'services' as const];
  if (kind === 'shipment') return [await client.shipments.get(id, { expand, signal })];
  const found: Shipment[] = [];
  for await (const shipment of client.shipments.list({ moveID: id, sort: 'createdAt', expand, signal })) {
    found.push(shipment);
    if (found.length > MAX_WAYBILLS) break;
  }
  return found;
}

async function authorOf({ id, eTag }: Shipment, signal: AbortSignal): Promise<string | undefined> {
  const { items } = await client.shipments.history(id, { limit: ENTRIES, signal }).page();
  return items.find((entry) => entry.resourceID === id && entry.eTag === eTag)?.changedBy;
}
