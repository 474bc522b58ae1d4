const KINDS = {
  move: ['created', 'updated', 'deleted'],
  shipment: ['created', 'updated', 'statusChanged', 'deleted'],
  agent: ['created', 'updated', 'deleted'],
  service: ['created', 'updated', 'deleted'],
};

/** The event types that people usually subscribe to. Others can be set through the API. */
export const EVENT_TYPES = Object.entries(KINDS).flatMap(([kind, changes]) =>
  changes.map((change) => `${kind}.${change}`),
);
