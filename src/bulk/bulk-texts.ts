import { TAGS_PATTERN } from '../etag/entity-tags.js';
import { PROBLEM_MEMBERS } from '../openapi/responses.js';
import { FIELD_ERRORS, PARENT, RESTORATION, VERSIONS } from '../problem/members.js';
import { EXAMPLE_ETAG, nullable, objectSchema, type Properties, type Schema } from '../validation/json-schema.js';
import { schemaOfProperty } from '../validation/json-schema.decorator.js';
import { StatusChange } from '../shipments/dto/status-change.js';
import { SHIPMENTS } from '../model/shipment.entity.js';
import { MAX_VALUE_BYTES } from './bounded-values.js';
import { MAX_ITEMS, type Op } from './bulk-request.js';
import { STATUSES } from '../shipments/status-transition.js';

export const BULK_TEXT = `Up to ${MAX_ITEMS} items, each of which is handled like the equivalent single request: by the same rules, with the same history entry and the same problems. \`ifMatch\` has the value of \`If-Match\`: required for \`update\`, \`updateStatus\` and \`undelete\`, optional for \`delete\`. A shipment can occur in one item only.

With \`atomic\`, the default, all items are written in one transaction, and the response is 200; or none is written, and the response is a \`BULK_REFUSED\` problem whose \`items\` have a \`problem\` if they were refused, and otherwise status 424.

With \`"atomic": false\`, each item is written or refused independently. The response is 207, and each item has a \`status\`. With an \`Idempotency-Key\`, that response is stored even if items were refused, and a retry continues where the first attempt ended: nothing is written twice, and no item conflicts with itself. Refused items are stored without \`changes\`, \`errors\`, \`restoredBy\` and \`restoredAt\`; the \`detail\` of a repeated response says so. An item with status 503 and code \`UNAVAILABLE\` was not written, for example because another transaction was using its shipment; the other items are written nevertheless. An item with code \`OUTCOME_UNKNOWN\` may have been written or not: its COMMIT got no response. Repeat the request with the same key to resolve both; without a key, read the shipments with \`OUTCOME_UNKNOWN\` first.

The values in the 412 of an item are limited to ${MAX_VALUE_BYTES} bytes in total. Beyond that, the longest are omitted, and their change is marked \`truncated\`.

Each operation requires the scope of its single request: \`shipments:status\` for \`updateStatus\`, \`shipments:write\` for the others. Rate limits count items: a bulk of more items than a caller may send requests per minute is a \`TOO_LARGE\` problem that names the number.`;

const ID: Schema = { type: 'string', description: 'The id of the shipment, or its shipmentCode.' };

const IF_MATCH: Schema = {
  type: 'string',
  pattern: TAGS_PATTERN,
  description: 'The eTag of the shipment that you last read, in the format of `If-Match`.',
};

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

function item(op: Op, description: string, required: Properties, optional?: Properties): Schema {
  const named: Schema = { type: 'string', const: op, description: 'The operation.' };
  return { ...objectSchema(description, { op: named, ...required }, optional), additionalProperties: false };
}

const STATUS = schemaOfProperty(StatusChange, 'status');
const REJECTION_REASON = nullable(schemaOfProperty(StatusChange, 'rejectionReason'));

const ITEMS: readonly Schema[] = [
  item('create', 'Creates a shipment.', { values: ref('NewShipment') }),
  item('update', 'Changes fields of a shipment.', { id: ID, ifMatch: IF_MATCH, patch: ref('ShipmentPatch') }),
  item(
    'updateStatus',
    'Changes the status of a shipment.',
    { id: ID, ifMatch: IF_MATCH, status: STATUS },
    { rejectionReason: REJECTION_REASON },
  ),
  item('delete', 'Deletes a shipment and everything that belongs to it.', { id: ID }, { ifMatch: IF_MATCH }),
  item('undelete', 'Restores a deleted shipment and what was deleted along with it.', {
    id: ID,
    ifMatch: { ...IF_MATCH, description: 'The `deletionETag` of the deletion, from `GET /v1/deletions`.' },
  }),
];

/** The changes of a 412 in a bulk, which may omit values. */
const BOUNDED_CHANGES: Schema = {
  type: 'array',
  description: 'As in the 412 of a single request, with values of limited length.',
  items: {
    ...VERSIONS.changes.items,
    required: ['field', 'conflicting'],
    properties: {
      ...VERSIONS.changes.items.properties,
      truncated: { type: 'boolean', const: true, description: 'Present if the values are too long to be included.' },
    },
  },
};

const ITEM_PROBLEM = objectSchema(
  'The problem that the equivalent single request would return.',
  {
    ...PROBLEM_MEMBERS,
    status: { type: 'integer', description: 'The status of the item.' },
    instance: { type: 'string', description: 'The path of the shipment, or of the collection for a new one.' },
  },
  { ...FIELD_ERRORS, ...STATUSES, ...VERSIONS, ...RESTORATION, ...PARENT, changes: BOUNDED_CHANGES },
);

/** The result of one item, also used in BULK_REFUSED. */
const STATUS_OF_ITEM: Schema = {
  type: 'integer',
  description:
    'The status of the single request; 424 if it was not written because others were refused. 503 with the code `OUTCOME_UNKNOWN` if it may have been written or not, with `UNAVAILABLE` if it was not written.',
};
const ITEM_RESULT = objectSchema(
  'The result of one item.',
  { status: STATUS_OF_ITEM },
  { shipment: { ...ref('Shipment'), description: 'The shipment after the change.' }, problem: ITEM_PROBLEM },
);

export const BULK_SCHEMAS = {
  request: {
    type: 'object',
    description: 'Many writes in one request.',
    required: ['items'],
    properties: {
      atomic: { type: 'boolean', default: true, description: 'Whether to write all items or none.' },
      items: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_ITEMS,
        description: 'The operations.',
        items: { oneOf: ITEMS },
      },
    },
    additionalProperties: false,
    examples: [{ items: [{ op: 'create', values: { shipmentType: 'HHG', deliveryDate: '2026-04-15' } }] }],
  },
  answer: objectSchema('The results of the items.', {
    items: { type: 'array', description: 'One result per item, in request order.', items: ITEM_RESULT },
  }),
} satisfies Record<string, Schema>;

const { exampleID: id } = SHIPMENTS;

export const BULK_BODIES = {
  approve: {
    summary: 'Approve all or none',
    value: { items: [{ op: 'updateStatus', id, ifMatch: EXAMPLE_ETAG, status: 'APPROVED' }] },
  },
  each: {
    summary: 'New dates, independently',
    value: {
      atomic: false,
      items: [
        { op: 'update', id, ifMatch: EXAMPLE_ETAG, patch: { deliveryDate: '2026-04-18' } },
        { op: 'create', values: { shipmentType: 'HHG' } },
      ],
    },
  },
};
