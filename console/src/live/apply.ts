import type { Event } from '@waybill/client';

interface Followed {
  readonly id: string;
  readonly eTag: string;
  readonly updatedAt: string;
}

/**
 * A record after an event of its own; undefined when the event does not tell enough and the record has to be read. A change that the
 * record has already is known by its time, for versions of one record only grow.
 */
export function afterEvent<R extends Followed>(record: R, { type, time, data }: Event): R | undefined {
  // What was erased is what the record once was.
  if (time <= record.updatedAt || type.endsWith('.erased')) return record;
  const { eTag, changes, truncated, erased } = data;
  if (truncated === true || erased === true || eTag === null) return undefined;
  const next: Record<string, unknown> = {};
  Object.assign(next, record, { eTag, updatedAt: time });
  for (const { field, to } of changes) {
    const [name = '', part] = field.split('/');
    if (part === undefined) next[name] = to;
    else {
      // A new address has an id, which no event tells.
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
