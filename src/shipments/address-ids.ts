import { v7 as uuidv7 } from 'uuid';
import { ADDRESS_NAMES, type Address, type AddressName } from './address.js';
import type { ShipmentFields } from './dto/shipment-fields.js';
import type { Shipment } from './shipment.entity.js';

type StoredFields<F extends ShipmentFields> = Omit<F, AddressName> & Record<AddressName, Address | null>;

/** Gives each address its id: the one it had, or a new one when the shipment had no such address. */
export function withAddressIDs<F extends ShipmentFields>(fields: F, current?: Shipment): StoredFields<F> {
  const addresses = ADDRESS_NAMES.map((name) => {
    const address = fields[name];
    return [name, address && { ...address, id: current?.[name]?.id ?? uuidv7() }] as const;
  });
  return { ...fields, ...(Object.fromEntries(addresses) as Record<AddressName, Address | null>) };
}

/** Which of a shipment's addresses has this id. */
export function addressNamed(shipment: Shipment, addressID: string | undefined): AddressName | undefined {
  return ADDRESS_NAMES.find((name) => addressID !== undefined && shipment[name]?.id === addressID);
}
