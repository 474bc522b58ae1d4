import { EXAMPLE_ETAG } from './fields.js';

const ADDRESS = { streetAddress1: '1 Main Street', city: 'Springfield', state: 'IL', postalCode: '62701' };

/** What a schema is, and for bodies an example that can be sent as it is. */
export const SCHEMA_TEXTS: Readonly<Record<string, { description: string; example?: object }>> = {
  Move: { description: 'A move: the frame that its shipments belong to.' },
  NewMove: {
    description: 'A move to create.',
    example: { orderID: 'ORD-2026-0042', remarks: 'Third floor, no lift.' },
  },
  MoveReplacement: {
    description: 'A complete move. What is left out becomes null.',
    example: { orderID: 'ORD-2026-0043', remarks: null },
  },
  MovePatch: {
    description: 'The fields of a move to change (RFC 7396). What is left out stays as it is, null clears.',
    example: { remarks: 'The lift works again.' },
  },
  Shipment: { description: 'A shipment, which always belongs to a move.' },
  NewShipment: {
    description: 'A shipment to create.',
    example: {
      shipmentType: 'HHG',
      pickupDate: '2026-04-01',
      deliveryDate: '2026-04-15',
      destinationAddress: { ...ADDRESS, country: 'US' },
      estimatedWeight: 4500,
    },
  },
  ShipmentReplacement: {
    description: 'A complete shipment. What is left out becomes null.',
    example: { shipmentType: 'HHG', deliveryDate: '2026-04-20', destinationAddress: ADDRESS, actualWeight: 4380 },
  },
  ShipmentPatch: {
    description:
      'The fields of a shipment to change (RFC 7396). What is left out stays as it is, null clears, an address merges.',
    example: { deliveryDate: '2026-04-18', customerRemarks: 'Please ring twice.' },
  },
  Address: { description: 'An address, which is part of its shipment and shares its version.' },
  NewAddress: { description: 'A complete address.', example: ADDRESS },
  AddressReplacement: {
    description: 'A complete address. What is left out becomes null.',
    example: { ...ADDRESS, streetAddress2: 'Apartment 4', country: 'US' },
  },
  AddressPatch: {
    description: 'The fields of an address to change. A first address must be complete.',
    example: { city: 'Shelbyville' },
  },
  Agent: { description: 'A person who releases or receives the goods of a shipment.' },
  NewAgent: {
    description: 'An agent to add. One of email and phone must be given.',
    example: { agentType: 'RECEIVING_AGENT', firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' },
  },
  AgentReplacement: {
    description: 'A complete agent. What is left out becomes null.',
    example: { agentType: 'RECEIVING_AGENT', firstName: 'Grace', phone: '555-0100' },
  },
  AgentPatch: {
    description: 'The fields of an agent to change (RFC 7396).',
    example: { phone: '555-0101' },
  },
  Service: { description: 'Something that is done for a shipment.' },
  NewService: { description: 'A service to add.', example: { code: 'PACK', description: 'Pack the china with care.' } },
  ServiceReplacement: {
    description: 'A complete service. What is left out becomes null.',
    example: { code: 'CRATE', description: 'Crate the piano.' },
  },
  ServicePatch: {
    description: 'The fields of a service to change (RFC 7396).',
    example: { description: 'Two crates.' },
  },
  StatusChange: { description: 'The status to go to.', example: { status: 'APPROVED' } },
};

/** What a client sends to change exactly the version it read. */
export const EXAMPLE_IF_MATCH = `"${EXAMPLE_ETAG}"`;

export function schemaText(name: string): { description: string; example?: object } {
  const text = SCHEMA_TEXTS[name];
  if (text === undefined) throw new Error(`Describe ${name} in openapi/texts/schemas.ts`);
  return text;
}
