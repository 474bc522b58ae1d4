import type { Address } from '@waybill/client';

/** Kinds of records that can be edited. */
export type Kind = 'shipment' | 'move' | 'agent' | 'service';

/** The value of a field. */
export type Value = string | number | null;

/** Values by field name; `destinationAddress/city` is a field of an address, as in histories and conflicts. */
export type Values = Readonly<Record<string, Value>>;

export type InputKind = 'line' | 'long' | 'date' | 'weight' | 'type' | 'agentType';

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly input: InputKind;
  readonly longest?: number;
}

export const ADDRESSES = ['pickupAddress', 'destinationAddress'] as const;

const ADDRESS_PARTS = [
  ['streetAddress1', 'Street'],
  ['streetAddress2', 'Street, line 2'],
  ['streetAddress3', 'Street, line 3'],
  ['city', 'City'],
  ['state', 'State'],
  ['postalCode', 'Postal code'],
  ['country', 'Country'],
] as const satisfies readonly (readonly [keyof Address, string])[];

/** Fields without which a record cannot be saved. An agent also needs an email address or a phone number. */
export const REQUIRED: Readonly<Record<Kind, readonly string[]>> = {
  shipment: ['shipmentType'],
  move: [],
  agent: ['agentType', 'firstName'],
  service: ['code'],
};

export const REQUIRED_PARTS: readonly string[] = ['streetAddress1', 'city', 'state', 'postalCode'];

export const ADDRESS_LABELS: Readonly<Record<string, string>> = {
  pickupAddress: 'Pickup address',
  destinationAddress: 'Destination address',
};

function addressFields(name: string): Field[] {
  return ADDRESS_PARTS.map(([part, label]) => ({ name: `${name}/${part}`, label, input: 'line' }));
}

export function partsOf(address: string): string[] {
  return ADDRESS_PARTS.map(([part]) => `${address}/${part}`);
}

/** The editable fields, in form order. */
export const FIELDS: Readonly<Record<Kind, readonly Field[]>> = {
  shipment: [
    { name: 'shipmentType', label: 'Type', input: 'type', longest: 64 },
    { name: 'pickupDate', label: 'Pickup date', input: 'date' },
    { name: 'deliveryDate', label: 'Delivery date', input: 'date' },
    { name: 'estimatedWeight', label: 'Estimated weight', input: 'weight' },
    { name: 'actualWeight', label: 'Actual weight', input: 'weight' },
    ...addressFields('pickupAddress'),
    ...addressFields('destinationAddress'),
    { name: 'customerRemarks', label: 'Customer remarks', input: 'long', longest: 2000 },
  ],
  move: [
    { name: 'orderID', label: 'Order', input: 'line', longest: 64 },
    { name: 'remarks', label: 'Remarks', input: 'long', longest: 2000 },
  ],
  agent: [
    { name: 'agentType', label: 'Role', input: 'agentType' },
    { name: 'firstName', label: 'First name', input: 'line', longest: 100 },
    { name: 'lastName', label: 'Last name', input: 'line', longest: 100 },
    { name: 'email', label: 'Email', input: 'line', longest: 254 },
    { name: 'phone', label: 'Phone', input: 'line', longest: 32 },
  ],
  service: [
    { name: 'code', label: 'Code', input: 'line', longest: 32 },
    { name: 'description', label: 'Description', input: 'long', longest: 2000 },
  ],
};

/** Fields that only the service sets, but that occur in conflicts and histories. */
const OTHER_LABELS: Readonly<Record<string, string>> = {
  status: 'Status',
  rejectionReason: 'Rejection reason',
  moveID: 'Move',
  moveCode: 'Move code',
  shipmentCode: 'Shipment code',
};

const ALL_FIELDS = new Map(Object.values(FIELDS).flatMap((fields) => fields.map((field) => [field.name, field])));

export function fieldOf(name: string): Field | undefined {
  return ALL_FIELDS.get(name);
}

/** The full name of a field, for use in a sentence. */
export function labelOf(name: string): string {
  const [owner = '', part] = name.split('/');
  const own = ALL_FIELDS.get(name)?.label ?? OTHER_LABELS[name] ?? ADDRESS_LABELS[name] ?? name;
  return part === undefined ? own : `${(ADDRESS_LABELS[owner] ?? owner).replace(' address', '')} ${own.toLowerCase()}`;
}

/** All values of a record, by field. */
export function valuesOf(record: object): Values {
  const values: Record<string, Value> = {};
  for (const [name, value] of Object.entries(record) as [string, unknown][]) {
    if (ADDRESSES.some((address) => address === name)) {
      const address = value as Address | null;
      for (const [part] of ADDRESS_PARTS) values[`${name}/${part}`] = address?.[part] ?? null;
    } else if (value === null || typeof value === 'string' || typeof value === 'number') {
      values[name] = value;
    }
  }
  return values;
}
