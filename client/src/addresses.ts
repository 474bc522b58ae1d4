import type { CallOptions, Http } from './http.js';
import type { Address, AddressReplacement } from './records.js';
import { recordOf } from './expected.js';
import { mergedAddress } from './merge.js';
import { update, type Access, type Change, type UpdateOptions } from './update.js';
import type { WriteOptions } from './versioned-records.js';

/** Identifies an address. */
export interface AddressKey {
  readonly shipmentID: string;
  readonly addressID: string;
}

/** Addresses belong to a shipment: they share its eTag and are replaced as a whole. */
export class Addresses {
  constructor(private readonly http: Http) {}

  get(key: AddressKey, options: CallOptions = {}): Promise<Address> {
    const expected = recordOf(key.addressID);
    return this.http.call<Address>({ method: 'GET', path: addressPath(key), expected, ...options });
  }

  async update(
    key: AddressKey,
    change: Change<Address, AddressReplacement>,
    options: UpdateOptions<Address, AddressReplacement> = {},
  ): Promise<Address> {
    const { signal, headers, idempotencyKey } = options;
    const call = { signal, headers, idempotencyKey };
    const access: Access<Address, AddressReplacement> = {
      read: () => this.get(key, call),
      // A resolution may be resent for a newer version, for which the copied eTag would be stale.
      write: ({ eTag: _, ...address }, ifMatch) => this.replace(key, address, { ifMatch, ...call }),
      merge: mergedAddress,
    };
    return update(await access.read(), change, access, options);
  }

  replace(key: AddressKey, body: AddressReplacement, options: WriteOptions): Promise<Address> {
    const expected = recordOf(key.addressID);
    return this.http.call<Address>({ method: 'PUT', path: addressPath(key), body, expected, ...options });
  }
}

function addressPath({ shipmentID, addressID }: AddressKey): string {
  return `/v1/mto-shipment/${encodeURIComponent(shipmentID)}/address/${encodeURIComponent(addressID)}`;
}
