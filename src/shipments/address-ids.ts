import { v7 as uuidv7 } from 'uuid';
import { canonicalID } from '../validation/json-schema.js';
import { ADDRESS_NAMES, type Address, type AddressName } from './address.js';
import type { ShipmentFields } from './dto/shipment-fields.js';
import type { Shipment } from './shipment.entity.js';

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
