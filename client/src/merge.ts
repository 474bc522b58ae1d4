import type { Address, Current, Versioned } from './records.js';
import type { Report } from './update.js';

type Values = Record<string, unknown>;

const ADDRESSES = ['pickupAddress', 'destinationAddress'];

/** Applies the changes in a 412 to the stale version. */
export function mergedRecord<R extends Versioned>(
  base: Current<R>,
  { currentETag, changes }: Report,
  unreported: readonly string[],
): Current<R> | undefined {
  if (currentETag === undefined || changes === undefined) return undefined;
  return withChanges(base, currentETag, changes, unreported);
}

/** Applies changes to a record. Returns undefined if an address was added. */
export function withChanges<R extends Versioned>(
  base: Current<R>,
  eTag: string,
  changes: readonly { readonly field: string; readonly current?: unknown }[],
  unreported: readonly string[],
): Current<R> | undefined {
  const kept = Object.entries(base).filter(([name]) => !unreported.includes(name));
  const record: Values = { ...Object.fromEntries(kept), eTag };
  for (const { field, current } of changes) {
    const [name = '', member] = field.split('/');
    if (member === undefined) record[name] = current;
    // A new address has an id, which the changes do not contain.
    else if (record[name] === null) return undefined;
    else record[name] = { ...(record[name] as Values), [member]: current };
  }
  for (const name of ADDRESSES) {
    const address = record[name] as Values | null | undefined;
    // An address without a street was removed.
    if (address) record[name] = address['streetAddress1'] === null ? null : { ...address, eTag };
  }
  return record as Current<R>;
}

/**
 * The same for an address, whose changes are reported as changes of the shipment. A replacement writes exactly the fields of its address,
 * so changes with `yours` belong to this address.
 */
export function mergedAddress(base: Current<Address>, { currentETag, changes }: Report): Current<Address> | undefined {
  if (currentETag === undefined || changes === undefined) return undefined;
  const own = changes.filter((change) => 'yours' in change);
  const values = own.map(({ field, current }) => [field.slice(field.indexOf('/') + 1), current]);
  return { ...base, ...(Object.fromEntries(values) as Partial<Address>), eTag: currentETag };
}
