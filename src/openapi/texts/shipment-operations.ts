import { STATUS_STEPS } from '../../shipments/shipment-status.js';
import type { OperationText } from './operation-text.js';

const CREATE =
  'Only `shipmentType` is required. Without a `moveID` the service opens a new move for the shipment, in the same step. A new shipment is `SUBMITTED`.';

const STATUS_TABLE = [
  '| from | to |',
  '|---|---|',
  ...Object.entries(STATUS_STEPS).map(([from, to]) => `| ${from} | ${to.join(', ') || 'none'} |`),
].join('\n');

export const SHIPMENT_OPERATIONS: Readonly<Record<string, OperationText>> = {
  'ShipmentsController.list': {
    id: 'listShipments',
    tag: 'Shipments',
    summary: 'List shipments',
    description: 'Newest first, a page at a time. While there is more, a `Link` header leads to the next page.',
    answers: { list: 'Shipment' },
  },
  'ShipmentsController.create': {
    id: 'createShipment',
    tag: 'Shipments',
    summary: 'Create a shipment',
    description: CREATE,
    answers: { record: 'Shipment' },
  },
  'PrefixedShipmentsController.create': {
    id: 'createPrefixedShipment',
    tag: 'Shipments',
    summary: 'Create a shipment, under the prefix',
    description: `The same as createShipment. ${CREATE}`,
    answers: { record: 'Shipment' },
  },
  'ShipmentsController.read': {
    id: 'readShipment',
    tag: 'Shipments',
    summary: 'Read a shipment',
    description: 'The `eTag` of the answer is what a later change names in `If-Match`.',
    answers: { record: 'Shipment' },
  },
  'ShipmentsController.history': {
    id: 'listShipmentHistory',
    tag: 'History',
    summary: 'See how a shipment changed',
    description: 'With its agents and services, newest first. Stays readable after the shipment is deleted.',
    answers: { list: 'HistoryEntry' },
  },
  'ShipmentsController.update': {
    id: 'updateShipment',
    tag: 'Shipments',
    summary: 'Change fields of a shipment',
    description: 'Only the fields you send change; an address merges. `If-Match` must name the version you read.',
    answers: { record: 'Shipment' },
  },
  'ShipmentsController.replace': {
    id: 'replaceShipment',
    tag: 'Shipments',
    summary: 'Replace a shipment',
    description: 'The body is the complete shipment; an optional field you leave out becomes null.',
    answers: { record: 'Shipment' },
  },
  'ShipmentsController.remove': {
    id: 'deleteShipment',
    tag: 'Shipments',
    summary: 'Delete a shipment',
    description: 'Its addresses, agents and services go along. Its history stays.',
    answers: { nothing: true },
  },
  'PrefixedShipmentsController.updateStatus': {
    id: 'updateShipmentStatus',
    tag: 'Shipments',
    summary: 'Change the status of a shipment',
    description: `Changes the status and nothing else. These are the steps a shipment can take:\n\n${STATUS_TABLE}\n\nREJECTED needs a \`rejectionReason\`; no other status takes one.`,
    answers: { record: 'Shipment' },
    problems: ['STATUS_TRANSITION'],
    bodies: {
      approve: { summary: 'Approve', value: { status: 'APPROVED' } },
      reject: { summary: 'Reject', value: { status: 'REJECTED', rejectionReason: 'The weight is missing.' } },
    },
  },
  'AddressesController.read': {
    id: 'readAddress',
    tag: 'Addresses',
    summary: 'Read an address',
    description: "Its eTag is its shipment's.",
    answers: { record: 'Address' },
  },
  'AddressesController.replace': {
    id: 'replaceAddress',
    tag: 'Addresses',
    summary: 'Replace an address',
    description: 'The body is the complete address. This makes a new version of the shipment.',
    answers: { record: 'Address' },
  },
};
