import { Column } from 'typeorm';
import type { ETag } from '../etag/version.js';
import { ETAG, EXAMPLE_ETAG } from '../validation/json-schema.js';
import { JsonSchema } from '../validation/json-schema.decorator.js';

export const ADDRESS_LENGTHS = { street: 255, city: 100, state: 64, postalCode: 20, country: 64 };

/**
 * An address is part of its shipment's row, so both have one version by construction. It is there when its id is: then the columns
 * whose schema names a type are not null either.
 */
@JsonSchema({ description: 'An address, which is part of its shipment and shares its version.' })
export class Address {
  @JsonSchema({
    description: 'Made by the service.',
    type: 'string',
    examples: ['0199c3a0-8a10-7b5d-8d86-3cbf8a4f5e6d'],
  })
  @Column('uuid', { nullable: true })
  id!: string;

  @JsonSchema({ description: 'Street and number.', type: 'string', examples: ['1 Main Street'] })
  @Column('varchar', { length: ADDRESS_LENGTHS.street, nullable: true })
  streetAddress1!: string;

  @JsonSchema({ description: 'Second line of the street address.', examples: ['Apartment 4'] })
  @Column('varchar', { length: ADDRESS_LENGTHS.street, nullable: true })
  streetAddress2!: string | null;

  @JsonSchema({ description: 'Third line of the street address.', examples: [null] })
  @Column('varchar', { length: ADDRESS_LENGTHS.street, nullable: true })
  streetAddress3!: string | null;

  @JsonSchema({ description: 'City or town.', type: 'string', examples: ['Springfield'] })
  @Column('varchar', { length: ADDRESS_LENGTHS.city, nullable: true })
  city!: string;

  @JsonSchema({ description: 'State, province or region.', type: 'string', examples: ['IL'] })
  @Column('varchar', { length: ADDRESS_LENGTHS.state, nullable: true })
  state!: string;

  @JsonSchema({ description: 'ZIP or postal code.', type: 'string', examples: ['62701'] })
  @Column('varchar', { length: ADDRESS_LENGTHS.postalCode, nullable: true })
  postalCode!: string;

  @JsonSchema({ description: 'Country.', examples: ['US'] })
  @Column('varchar', { length: ADDRESS_LENGTHS.country, nullable: true })
  country!: string | null;

  @JsonSchema({
    description: "The version of the shipment: an address shares its shipment's.",
    ...ETAG,
    examples: [EXAMPLE_ETAG],
  })
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
