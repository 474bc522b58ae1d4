import { examplePayload, type FeatureProblem } from '../openapi/problem-example.js';
import { SHIPMENTS } from '../model/shipment.entity.js';
import { STATUS_TRANSITION } from '../shipments/status-transition.js';
import type { Properties } from '../validation/json-schema.js';

const INSTANCE = `${SHIPMENTS.path}/${SHIPMENTS.exampleID}`;

const BULK_ITEMS: Properties = {
  items: {
    type: 'array',
    description: 'The result of each item, in request order.',
    items: {
      type: 'object',
      required: ['status'],
      properties: {
        status: {
          type: 'integer',
          description: '424 if the item itself was valid, otherwise the status of its problem.',
        },
        problem: {
          type: 'object',
          description: 'The problem that the equivalent single request would return.',
          additionalProperties: true,
        },
      },
    },
  },
};

export const BULK_REFUSED: FeatureProblem = {
  code: 'BULK_REFUSED',
  status: 409,
  title: 'Items were rejected, so nothing was written',
  meaning:
    'An atomic bulk request succeeds or fails as a whole, and some of its items were rejected. Nothing was written.',
  remedy:
    'Check "items": unless the status is 424, "problem" says why that item was rejected. Correct those items and send all of them again, or send them with "atomic": false.',
  members: BULK_ITEMS,
  example: {
    detail: 'One item was refused, so none of the 2 was written. "items" lists the reasons in request order.',
    instance: `${SHIPMENTS.path}/bulk`,
    members: {
      items: [
        { status: 424 },
        {
          status: 409,
          problem: examplePayload(STATUS_TRANSITION, { ...STATUS_TRANSITION.example, instance: INSTANCE }),
        },
      ],
    },
  },
};
