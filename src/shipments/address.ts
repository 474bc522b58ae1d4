import { Column } from 'typeorm';
import type { ETag } from '../records/version.js';

export const ADDRESS_LENGTHS = { street: 255, city: 100, state: 64, postalCode: 20, country: 64 };

/** An address is part of its shipment's row, so both have one version by construction. It is there when its id is. */
export class Address {
  @Column('uuid', { nullable: true })
  id!: string;

  @Column('varchar', { length: ADDRESS_LENGTHS.street, nullable: true })
  streetAddress1!: string;

  @Column('varchar', { length: ADDRESS_LENGTHS.street, nullable: true })
  streetAddress2!: string | null;

  @Column('varchar', { length: ADDRESS_LENGTHS.street, nullable: true })
  streetAddress3!: string | null;

  @Column('varchar', { length: ADDRESS_LENGTHS.city, nullable: true })
  city!: string;

  @Column('varchar', { length: ADDRESS_LENGTHS.state, nullable: true })
  state!: string;

  @Column('varchar', { length: ADDRESS_LENGTHS.postalCode, nullable: true })
  postalCode!: string;

  @Column('varchar', { length: ADDRESS_LENGTHS.country, nullable: true })
  country!: string | null;

  eTag?: ETag;
}

/** The addresses a shipment can have. */
export const ADDRESS_NAMES = ['pickupAddress', 'destinationAddress'] as const;
export type AddressName = (typeof ADDRESS_NAMES)[number];

/** An address is whole or not there: its required columns are filled exactly when its id is. */
export function wholeAddress(prefix: string): string {
  const required = ['id', 'street_address1', 'city', 'state', 'postal_code'].map((name) => `${prefix}_${name}`);
  const optional = ['street_address2', 'street_address3', 'country'].map((name) => `${prefix}_${name}`);
  return `num_nulls(${required.join(', ')}) IN (0, ${required.length}) AND (${prefix}_id IS NOT NULL OR num_nonnulls(${optional.join(', ')}) = 0)`;
}
