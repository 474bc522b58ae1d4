import type { Event } from '@waybill/client';
import { cache, queryClient } from '../queries.js';

/** Applies events to the cached records, and reads again what events do not contain: members of lists, histories, numbers. */
export function follow(events: readonly Event[]): void {
  for (const { type, data } of events) {
    if (type.endsWith('.erased')) queryClient.removeQueries({ queryKey: ['version', data.resourceID] });
  }
  cache.follow(events);
  const outdated = new Set(events.flatMap(outdatedBy));
  if (outdated.size === 0) return;
  cache.outdate(({ queryKey: [name, first, second], state: { data } }) => {
    if (name === 'history') return outdated.has(`history ${String(first)} ${String(second)}`);
    // A record may have been asked for by its code.
    const id = (data as { readonly id?: string } | undefined)?.id ?? first;
    return outdated.has(String(name)) || outdated.has(`${String(name)} ${String(id)}`);
  });
  // The views read these at their own pace while they are open, and again when they are opened.
  if (events.some(({ data }) => data.resource === 'shipment')) {
    for (const name of ['overview', 'changes', 'count']) cache.outdateKey([name], { isQuiet: true });
  }
}

/** The beginnings of the keys of queries that an event makes outdated. */
function outdatedBy({ type, data: { resource, resourceID, shipmentID, moveID } }: Event): string[] {
  const outdated: string[] = [];
  if (shipmentID !== null) outdated.push(`history shipment ${shipmentID}`);
  if (moveID !== null) outdated.push(`history move ${moveID}`);
  if (resource === 'import') outdated.push('imports', `import ${resourceID}`);
  if (resource === 'move') outdated.push('moves', 'count-of-moves');
  const isOnlyChanged = type.endsWith('.updated') || type.endsWith('.statusChanged');
  if (isOnlyChanged) return outdated;
  outdated.push(`deletion ${resourceID}`);
  if (resource === 'move') outdated.push(`move ${resourceID}`);
  if (resource === 'shipment') outdated.push(`shipment ${resourceID}`);
  if (resource === 'shipment' && moveID !== null) outdated.push(`move ${moveID}`);
  if (resource === 'agent' || resource === 'service') outdated.push(`shipment ${String(shipmentID)}`);
  return outdated;
}
