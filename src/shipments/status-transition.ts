import type { FeatureProblem } from '../openapi/problem-example.js';
import { SHIPMENTS } from '../model/shipment.entity.js';
import type { Properties } from '../validation/json-schema.js';

export const STATUSES: Properties = {
  currentStatus: { type: 'string', description: 'Current status of the shipment.' },
  allowedStatuses: {
    type: 'array',
    items: { type: 'string' },
    description: 'Statuses that can follow the current one.',
  },
};

export const STATUS_TRANSITION: FeatureProblem = {
  code: 'STATUS_TRANSITION',
  status: 409,
  title: 'The shipment cannot change to this status',
  meaning: 'The requested status cannot follow the current one.',
  remedy: 'Choose one of "allowedStatuses". If the list is empty, the status is final.',
  members: STATUSES,
  example: {
    detail: 'A shipment that is SUBMITTED cannot become DELIVERED. It can become APPROVED, REJECTED, CANCELED.',
    instance: `/prime${SHIPMENTS.path}/${SHIPMENTS.exampleID}/updateStatus`,
    members: { currentStatus: 'SUBMITTED', allowedStatuses: ['APPROVED', 'REJECTED', 'CANCELED'] },
  },
};
