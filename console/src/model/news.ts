import type { Event } from '@waybill/client';
import { ADDRESSES } from './fields.js';
import type { Copy } from './held-records.js';

/** What arrived about a record: an event, or a version that was written or read. */
export type News = { readonly event: Event } | { readonly version: Copy };

interface Updated<R> {
  readonly copy: R;
  /** Whether some news cannot be applied, so that the record must be read. */
  readonly isBehind: boolean;
}

/** An erasure only affects earlier versions. */
export function isNews({ type }: Event): boolean {
  return !type.endsWith('.erased');
}

export function isRestoration(news: News): boolean {
  return 'event' in news && news.event.type.endsWith('.restored');
}

export function timeOf(news: News): string {
  return 'event' in news ? news.event.time : news.version.updatedAt;
}

/**
 * The newest version that can be made of a copy. Versions of a record only increase, so news that is not newer than the copy is already
 * part of it. The response to a write may arrive after events of later changes, so news is applied in the order of the changes.
 */
export function withNews<R extends Copy>(copy: R, news: readonly News[]): Updated<R> {
  let next = copy;
  let newest = copy.updatedAt;
  for (const each of [...news].sort((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1))) {
    const time = timeOf(each);
    if (time <= next.updatedAt) continue;
    newest = time;
    next = ('event' in each ? afterEvent(next, each.event) : replaced(next, each.version)) ?? next;
  }
  return { copy: next, isBehind: next.updatedAt < newest };
}

/** Another version of a record. Expanded records of the copy stay. */
function replaced<R extends Copy>(copy: R, version: Copy): R {
  const { isDeleted: _isDeleted, ...kept } = copy;
  return { ...kept, ...version } as R;
}

/** Applies an event to the version that it follows. Returns undefined if the copy is another version, or if the event lacks details. */
function afterEvent<R extends Copy>(copy: R, { type, time, data }: Event): R | undefined {
  if (type.endsWith('.deleted')) return { ...copy, isDeleted: true, updatedAt: time };
  const { eTag, previousETag, changes, truncated, erased } = data;
  if (truncated === true || erased === true || eTag === null || previousETag !== copy.eTag) return undefined;
  const next: Record<string, unknown> = {};
  Object.assign(next, copy, { eTag, updatedAt: time });
  for (const { field, to } of changes) {
    const [name = '', part] = field.split('/');
    if (part === undefined) next[name] = to;
    // A new address has an id, which events do not contain.
    else if (next[name] == null) return undefined;
    else next[name] = { ...next[name], [part]: to };
  }
  for (const name of ADDRESSES) {
    const address = next[name] as { streetAddress1: string | null } | null | undefined;
    // An address without a street was removed.
    if (address) next[name] = address.streetAddress1 === null ? null : { ...address, eTag };
  }
  return next as unknown as R;
}
