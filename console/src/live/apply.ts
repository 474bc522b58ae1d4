import type { Event } from '@waybill/client';
import type { Row, Rows } from '../model/rows.js';

interface Followed {
  readonly id: string;
  readonly eTag: string;
  readonly updatedAt: string;
}

/**
 * Applies an event to its record. Returns undefined if the event lacks details and the record must be read. Versions of a record only
 * increase, so an event that is not newer than the record is already applied.
 */
export function afterEvent<R extends Followed>(record: R, { type, time, data }: Event): R | undefined {
  // An erasure only affects earlier versions.
  if (time <= record.updatedAt || type.endsWith('.erased')) return record;
  const { eTag, changes, truncated, erased } = data;
  if (truncated === true || erased === true || eTag === null) return undefined;
  const next: Record<string, unknown> = {};
  Object.assign(next, record, { eTag, updatedAt: time });
  for (const { field, to } of changes) {
    const [name = '', part] = field.split('/');
    if (part === undefined) next[name] = to;
    else {
      // A new address has an id, which events do not contain.
      if (next[name] === null) return undefined;
      next[name] = { ...(next[name] as object), [part]: to };
    }
  }
  for (const name of ['pickupAddress', 'destinationAddress']) {
    const address = next[name] as { streetAddress1: string | null } | null | undefined;
    if (address) next[name] = address.streetAddress1 === null ? null : { ...address, eTag };
  }
  return next as unknown as R;
}

export function afterEvents<R extends Followed>(record: R, events: readonly Event[]): R | undefined {
  let next: R | undefined = record;
  for (const event of events) next = next && afterEvent(next, event);
  return next;
}

interface FollowedRows {
  readonly rows: Rows;
  /** The shipments whose events lack details: they must be read. */
  readonly unknown: readonly string[];
}

/** Updates rows in place, so that nothing moves while the user reads. `events` has the events of each shipment. */
export function rowsAfterEvents(rows: Rows, events: ReadonlyMap<string, readonly Event[]>): FollowedRows {
  const unknown: string[] = [];
  const followed = (row: Row): Row => {
    const own = events.get(row.id);
    if (own === undefined) return row;
    if (own.some(({ type }) => type === 'shipment.deleted')) return { ...row, isDeleted: true };
    const next = afterEvents(row, own);
    if (next === undefined) unknown.push(row.id);
    return next ?? row;
  };
  const pages = rows.pages.map((page) => {
    const items = page.items.map(followed);
    return items.some((row, index) => row !== page.items[index]) ? { ...page, items } : page;
  });
  return { rows: pages.some((page, index) => page !== rows.pages[index]) ? { ...rows, pages } : rows, unknown };
}
