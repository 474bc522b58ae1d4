/** The chapters of the document, in the order of reading. */
export const TAGS = {
  Moves: 'A move is the frame for its shipments. It has an id and a code that a person can read out.',
  Shipments: 'What is moved: type, dates, weights, addresses and status.',
  Addresses: 'The addresses of a shipment. They are part of it and share its version.',
  Agents: 'People who release or receive the goods of a shipment.',
  Services: 'What is done for a shipment.',
  History: 'Every change of a record: what, when, by whom and in which request.',
  Health: 'For load balancers and orchestrators.',
  About: 'What the service says about itself.',
} as const;

export type Tag = keyof typeof TAGS;
