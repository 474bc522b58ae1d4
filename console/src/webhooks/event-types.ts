const KINDS = {
  move: ['created', 'updated', 'deleted', 'restored'],
  shipment: ['created', 'updated', 'statusChanged', 'deleted', 'restored'],
  agent: ['created', 'updated', 'deleted', 'restored'],
  service: ['created', 'updated', 'deleted', 'restored'],
};

/** The event types that people usually subscribe to. Others can be set through the API. */
export const EVENT_TYPES = Object.entries(KINDS).flatMap(([kind, changes]) =>
  changes.map((change) => `${kind}.${change}`),
);
