import { isProblem, type Event } from '@waybill/client';
import { client } from '../api.js';
import { placeShipment } from '../placing.js';
import type { Rows } from '../model/rows.js';
import { importKey, IMPORTS_KEY, queryClient, shipmentQuery, withMove } from '../queries.js';
import { afterEvents, rowsAfterEvents } from './apply.js';

/** Applies events to all cached data. */
export function follow(events: readonly Event[]): void {
  const byShipment = new Map<string, Event[]>();
  for (const event of events) {
    const { resource, resourceID, shipmentID, moveID } = event.data;
    if (event.type.endsWith('.erased')) queryClient.removeQueries({ queryKey: ['version', resourceID] });
    if (resource === 'move') void queryClient.invalidateQueries({ queryKey: ['moves'] });
    if (resource === 'import') {
      void queryClient.invalidateQueries({ queryKey: IMPORTS_KEY });
      void queryClient.invalidateQueries({ queryKey: importKey(resourceID) });
    }
    if (resource === 'shipment') byShipment.set(resourceID, [...(byShipment.get(resourceID) ?? []), event]);
    else if (shipmentID !== null) void queryClient.invalidateQueries({ queryKey: ['shipment', shipmentID] });
    if (shipmentID !== null) void queryClient.invalidateQueries({ queryKey: ['history', 'shipment', shipmentID] });
    if (moveID !== null) {
      void queryClient.invalidateQueries({ queryKey: ['history', 'move', moveID] });
      void queryClient.invalidateQueries({ queryKey: ['move', moveID] });
    }
  }
  if (byShipment.size === 0) return;
  // Today reads these at its own pace while it is open, and anew when it is opened again.
  for (const name of ['overview', 'changes']) {
    void queryClient.invalidateQueries({ queryKey: [name], refetchType: 'none' });
  }
  for (const [id, own] of byShipment) {
    const { queryKey } = shipmentQuery(id);
    const known = queryClient.getQueryData(queryKey);
    if (known === undefined) continue;
    const next = afterEvents(known, own);
    if (next === undefined) void queryClient.invalidateQueries({ queryKey });
    else queryClient.setQueryData(queryKey, next);
  }
  const unknown = new Set<string>();
  queryClient.setQueriesData<Rows>({ queryKey: ['shipments'] }, (rows) => {
    const followed = rows && rowsAfterEvents(rows, byShipment);
    for (const id of followed?.unknown ?? []) unknown.add(id);
    return followed?.rows;
  });
  for (const id of unknown) void reread(id);
}

async function reread(id: string): Promise<void> {
  try {
    placeShipment(await client.shipments.get(id, withMove()));
  } catch (error) {
    if (!isProblem(error, 'NOT_FOUND')) throw error;
  }
}
