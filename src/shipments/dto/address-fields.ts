import { Required, Text } from '../../validation/rules.js';
import { ADDRESS_LENGTHS } from '../../model/address.js';

export const EXAMPLE_ADDRESS = {
  streetAddress1: '1 Main Street',
  city: 'Springfield',
  state: 'IL',
  postalCode: '62701',
};

export class AddressFields {
  static readonly record = 'an address';
  static readonly readOnly = ['id', 'eTag'];
  static readonly examples = {
    New: EXAMPLE_ADDRESS,
    Replacement: { ...EXAMPLE_ADDRESS, streetAddress2: 'Apartment 4', country: 'US' },
    Patch: { city: 'Shelbyville' },
  };

  @Required()
  @Text(ADDRESS_LENGTHS.street)
  streetAddress1!: string;

  @Text(ADDRESS_LENGTHS.street, { blank: true })
  streetAddress2!: string | null;

  @Text(ADDRESS_LENGTHS.street, { blank: true })
  streetAddress3!: string | null;

  @Required()
  @Text(ADDRESS_LENGTHS.city)
  city!: string;

  @Required()
  @Text(ADDRESS_LENGTHS.state)
  state!: string;

  @Required()
  @Text(ADDRESS_LENGTHS.postalCode)
  postalCode!: string;

  @Text(ADDRESS_LENGTHS.country, { blank: true })
  country!: string | null;
}
