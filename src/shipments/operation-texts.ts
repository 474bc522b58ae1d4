import { STATUS_STEPS } from './shipment-status.js';

export const CREATE_SHIPMENT_TEXT =
  'Only `shipmentType` is required. Without a `moveID`, the service creates a move for the shipment in the same transaction. A new shipment is `SUBMITTED`.';

const STATUS_TABLE = [
  '| from | to |',
  '|---|---|',
  ...Object.entries(STATUS_STEPS).map(([from, to]) => `| ${from} | ${to.join(', ') || 'none'} |`),
].join('\n');

export const UPDATE_STATUS_TEXT = `Changes only the status. The allowed transitions are:

${STATUS_TABLE}

REJECTED requires a \`rejectionReason\`; no other status allows one.`;
