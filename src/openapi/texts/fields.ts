/** What a person should know of a field, and a value it can have. */
export interface FieldText {
  readonly description: string;
  readonly example: unknown;
}

type FieldTexts = Readonly<Record<string, FieldText>>;

export const EXAMPLE_ETAG = '3a7bd3e2360a3d29eea436fcfb7e44c735d117c42d1c1835420b6b9942dd4f1b';
export const EXAMPLE_IDS = {
  move: '0199c3a0-7f00-7c1e-9a53-0f8e5d1c2b3a',
  shipment: '0199c3a0-8a10-7d2f-8b64-1a9f6e2d3c4b',
  pickupAddress: '0199c3a0-8a10-7a4c-9c75-2bae7f3e4d5c',
  destinationAddress: '0199c3a0-8a10-7b5d-8d86-3cbf8a4f5e6d',
  agent: '0199c3a0-9b20-7c6e-9e97-4dc09b5a6f7e',
  service: '0199c3a0-ac30-7d7f-8fa8-5ed1ac6b7a8f',
};

const VERSIONED: FieldTexts = {
  createdAt: { description: 'When the record was created.', example: '2026-03-01T09:30:00.000Z' },
  updatedAt: {
    description: 'When the record was changed last; strictly increasing.',
    example: '2026-03-02T14:05:12.345Z',
  },
  eTag: {
    description: 'The version of the record. Opaque: send it back in `If-Match` to change exactly this version.',
    example: EXAMPLE_ETAG,
  },
};

const MOVE: FieldTexts = {
  id: { description: 'Made by the service.', example: EXAMPLE_IDS.move },
  moveCode: { description: 'A short name to read out; it can stand in paths instead of the id.', example: 'K7RM4W' },
  orderID: { description: "The client's own reference for this move.", example: 'ORD-2026-0042' },
  remarks: { description: 'Anything worth knowing about the move.', example: 'Third floor, no lift.' },
  ...VERSIONED,
};

const SHIPMENT: FieldTexts = {
  id: { description: 'Made by the service.', example: EXAMPLE_IDS.shipment },
  moveID: {
    description:
      'The move that the shipment belongs to, chosen once: its id, or in a request its moveCode. Left out, a new move is opened.',
    example: EXAMPLE_IDS.move,
  },
  shipmentType: { description: 'The kind of shipment.', example: 'HHG' },
  status: { description: 'Changed by updateStatus alone.', example: 'SUBMITTED' },
  rejectionReason: { description: 'Why the shipment was rejected; null in every other status.', example: null },
  pickupDate: { description: 'The day of the pickup.', example: '2026-04-01' },
  deliveryDate: { description: 'The day of the delivery.', example: '2026-04-15' },
  pickupAddress: { description: 'Where the goods are picked up.', example: undefined },
  destinationAddress: { description: 'Where the goods go.', example: undefined },
  estimatedWeight: { description: 'In whole pounds, before weighing.', example: 4500 },
  actualWeight: { description: 'In whole pounds, as weighed.', example: null },
  customerRemarks: { description: 'What the customer asks for.', example: 'Please ring twice.' },
  ...VERSIONED,
};

const ADDRESS: FieldTexts = {
  id: { description: 'Made by the service.', example: EXAMPLE_IDS.destinationAddress },
  streetAddress1: { description: 'Street and number.', example: '1 Main Street' },
  streetAddress2: { description: 'Second line of the street address.', example: 'Apartment 4' },
  streetAddress3: { description: 'Third line of the street address.', example: null },
  city: { description: 'City or town.', example: 'Springfield' },
  state: { description: 'State, province or region.', example: 'IL' },
  postalCode: { description: 'ZIP or postal code.', example: '62701' },
  country: { description: 'Country.', example: 'US' },
  eTag: { description: "The version of the shipment: an address shares its shipment's.", example: EXAMPLE_ETAG },
};

const AGENT: FieldTexts = {
  id: { description: 'Made by the service.', example: EXAMPLE_IDS.agent },
  shipmentID: { description: 'The shipment that the agent acts for.', example: EXAMPLE_IDS.shipment },
  agentType: { description: 'Releases or receives the goods; one of each per shipment.', example: 'RECEIVING_AGENT' },
  firstName: { description: 'Given name.', example: 'Grace' },
  lastName: { description: 'Family name.', example: 'Hopper' },
  email: { description: 'How to write to the agent.', example: 'grace@example.com' },
  phone: { description: 'How to call the agent.', example: '555-0100' },
  ...VERSIONED,
};

const SERVICE: FieldTexts = {
  id: { description: 'Made by the service.', example: EXAMPLE_IDS.service },
  shipmentID: { description: 'The shipment that the service is done for.', example: EXAMPLE_IDS.shipment },
  code: { description: 'A short name of the service.', example: 'PACK' },
  description: { description: 'What is done.', example: 'Pack the china with care.' },
  ...VERSIONED,
};

const STATUS_CHANGE: FieldTexts = {
  status: { description: 'The status to go to.', example: 'APPROVED' },
  rejectionReason: { description: 'Why the shipment is rejected.', example: 'The weight is missing.' },
};

const TEXTS: Readonly<Record<string, FieldTexts>> = {
  Move: MOVE,
  Shipment: SHIPMENT,
  Address: ADDRESS,
  Agent: AGENT,
  Service: SERVICE,
  StatusChange: STATUS_CHANGE,
};

/** Throws for a field that nobody has described: a new one is not forgotten. */
export function fieldText(schema: string, field: string): FieldText {
  const text = TEXTS[schema]?.[field];
  if (text === undefined) throw new Error(`Describe ${schema}.${field} in openapi/texts/fields.ts`);
  return text;
}
