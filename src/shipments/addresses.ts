import { v7 as uuidv7 } from 'uuid';
import type { Address } from '../model/address.js';
import type { Shipment } from '../model/shipment.entity.js';
import { canonicalID } from '../validation/json-schema.js';
import type { ShipmentFields } from './dto/shipment-fields.js';

const ADDRESS_NAMES = ['pickupAddress', 'destinationAddress'] as const;
type AddressName = (typeof ADDRESS_NAMES)[number];

type StoredFields<F> = Omit<F, AddressName> & Partial<Record<AddressName, Address | null>>;

/** Keeps the id of each existing address and gives new ones an id. */
export function withAddressIDs<F extends Partial<ShipmentFields>>(fields: F, current?: Shipment): StoredFields<F> {
  const addresses: Partial<Record<AddressName, Address>> = {};
  for (const name of ADDRESS_NAMES) {
    const address = fields[name];
    if (address) addresses[name] = { ...address, id: current?.[name]?.id ?? uuidv7() };
  }
  return { ...fields, ...addresses };
}

export function addressNamed(shipment: Shipment, addressID: string | undefined): AddressName | undefined {
  if (addressID === undefined) return undefined;
  return ADDRESS_NAMES.find((name) => shipment[name]?.id === canonicalID(addressID));
}
