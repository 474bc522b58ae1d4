import type { Address } from '@waybill/client';
import { t } from '../texts/texts.js';

/** Kinds of records that can be edited. */
export type Kind = 'shipment' | 'move' | 'agent' | 'service';

/** The value of a field. */
export type Value = string | number | null;

/** Values by field name; `destinationAddress/city` is a field of an address, as in histories and conflicts. */
export type Values = Readonly<Record<string, Value>>;

export type InputKind = 'line' | 'long' | 'date' | 'weight' | 'type' | 'agentType';

export interface Field {
  readonly name: string;
  readonly input: InputKind;
  readonly longest?: number;
}

export const ADDRESSES = ['pickupAddress', 'destinationAddress'] as const;

const ADDRESS_PARTS = [
  'streetAddress1',
  'streetAddress2',
  'streetAddress3',
  'city',
  'state',
  'postalCode',
  'country',
] as const satisfies readonly (keyof Address)[];

/** Fields without which a record cannot be saved. An agent also needs an email address or a phone number. */
export const REQUIRED: Readonly<Record<Kind, readonly string[]>> = {
  shipment: ['shipmentType'],
  move: [],
  agent: ['agentType', 'firstName'],
  service: ['code'],
};

export const REQUIRED_PARTS: readonly string[] = ['streetAddress1', 'city', 'state', 'postalCode'];

function addressFields(name: string): Field[] {
  return partsOf(name).map((part) => ({ name: part, input: 'line' }));
}

export function partsOf(address: string): string[] {
  return ADDRESS_PARTS.map((part) => `${address}/${part}`);
}

/** The editable fields, in form order. */
export const FIELDS: Readonly<Record<Kind, readonly Field[]>> = {
  shipment: [
    { name: 'shipmentType', input: 'type', longest: 64 },
    { name: 'pickupDate', input: 'date' },
    { name: 'deliveryDate', input: 'date' },
    { name: 'estimatedWeight', input: 'weight' },
    { name: 'actualWeight', input: 'weight' },
    ...addressFields('pickupAddress'),
    ...addressFields('destinationAddress'),
    { name: 'customerRemarks', input: 'long', longest: 2000 },
  ],
  move: [
    { name: 'orderID', input: 'line', longest: 64 },
    { name: 'remarks', input: 'long', longest: 2000 },
  ],
  agent: [
    { name: 'agentType', input: 'agentType' },
    { name: 'firstName', input: 'line', longest: 100 },
    { name: 'lastName', input: 'line', longest: 100 },
    { name: 'email', input: 'line', longest: 254 },
    { name: 'phone', input: 'line', longest: 32 },
  ],
  service: [
    { name: 'code', input: 'line', longest: 32 },
    { name: 'description', input: 'long', longest: 2000 },
  ],
};

const ALL_FIELDS = new Map(Object.values(FIELDS).flatMap((fields) => fields.map((field) => [field.name, field])));

export function fieldOf(name: string): Field | undefined {
  return ALL_FIELDS.get(name);
}

/** The name of a field at its input. A field of an address stands below the name of the address. */
export function shortLabelOf(name: string): string {
  const labels: Readonly<Record<string, string | undefined>> = t.fields.labels;
  const own = name.split('/').at(-1) ?? name;
  return labels[own] ?? own;
}

/** The full name of a field. */
export function labelOf(name: string): string {
  const [owner = '', part] = name.split('/');
  return part === undefined ? shortLabelOf(owner) : t.fields.ofAddress(shortLabelOf(owner), shortLabelOf(part));
}

/** The full name of a column of a file, such as `destinationAddress.city`. */
export function labelOfColumn(column: string): string {
  return labelOf(column.replace('.', '/'));
}

/** All values of a record, by field. */
export function valuesOf(record: object): Values {
  const values: Record<string, Value> = {};
  for (const [name, value] of Object.entries(record) as [string, unknown][]) {
    if (ADDRESSES.some((address) => address === name)) {
      const address = value as Address | null;
      for (const part of ADDRESS_PARTS) values[`${name}/${part}`] = address?.[part] ?? null;
    } else if (value === null || typeof value === 'string' || typeof value === 'number') {
      values[name] = value;
    }
  }
  return values;
}
