import { STATUS_STEPS } from './shipment-status.js';

export const CREATE_SHIPMENT_TEXT =
  'Only `shipmentType` is required. Without a `moveID` the service opens a new move for the shipment, in the same transaction. A new shipment is `SUBMITTED`.';

const STATUS_TABLE = [
  '| from | to |',
  '|---|---|',
  ...Object.entries(STATUS_STEPS).map(([from, to]) => `| ${from} | ${to.join(', ') || 'none'} |`),
].join('\n');

export const UPDATE_STATUS_TEXT = `Changes the status and nothing else. These are the steps that a shipment can take:

${STATUS_TABLE}

REJECTED needs a \`rejectionReason\`; no other status takes one.`;
