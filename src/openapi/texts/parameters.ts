import { EXAMPLE_ETAG } from '../../schema/json-schema.js';
import { EXAMPLE_ID } from './examples.js';

interface ParameterText {
  readonly description: string;
  readonly example?: string | number;
}

const QUERY: Readonly<Record<string, ParameterText>> = {
  limit: { description: 'How many records a page has at most.', example: 50 },
  cursor: {
    description: 'Where the list goes on: taken as it is from the `Link` header of the page before.',
  },
  expand: {
    description:
      'Nested objects to include. Several are separated by commas, or the parameter is repeated. Needs the scope to read them: `moves:read` for `move`, `shipments:read` for the others.',
  },
  version: {
    description: 'Read the record as it was at this eTag, also after it was deleted. Not together with `expand`.',
    example: EXAMPLE_ETAG,
  },
  orderID: { description: 'Only moves with this orderID.', example: 'ORD-2026-0042' },
  updatedSince: {
    description: 'Only records that were changed at or after this moment.',
    example: '2026-01-31T12:00:00Z',
  },
  moveID: { description: 'Only shipments of this move, by its id or its moveCode.', example: EXAMPLE_ID },
  status: {
    description:
      'Only shipments with this status. Several are taken by repeating the parameter, or separated by commas.',
    example: 'SUBMITTED',
  },
  shipmentType: { description: 'Only shipments of this type.', example: 'HHG' },
  deliveryDateFrom: { description: 'Only shipments delivered on this day or later.', example: '2026-04-01' },
  deliveryDateTo: { description: 'Only shipments delivered on this day or earlier.', example: '2026-04-30' },
};

export function queryText(name: string): ParameterText {
  const text = QUERY[name];
  if (text === undefined) throw new Error(`Describe the query parameter ${name} in openapi/texts/parameters.ts`);
  return text;
}
