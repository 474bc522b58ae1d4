import { TAGS_OR_BARE_ETAG_PATTERN } from '../etag/entity-tags.js';
import { FIELD_ERRORS, STATUSES as STATUS_MEMBERS, VERSIONS } from '../problem/members.js';
import { EXAMPLE_ETAG, nullable, type Schema } from '../validation/json-schema.js';
import { schemaOfProperty } from '../validation/json-schema.decorator.js';
import { StatusChange } from '../shipments/dto/status-change.js';
import { SHIPMENTS } from '../shipments/shipment.entity.js';
import { MAX_VALUE_BYTES } from './bounded-values.js';
import { MAX_ITEMS, type Op } from './bulk-request.js';

export const BULK_TEXT = `Up to ${MAX_ITEMS} items, each of which is judged as the single request would be that it stands for: by the same rules, with the same history entry and the same problem. \`ifMatch\` is what \`If-Match\` is there: required to \`update\` and \`updateStatus\`, optional to \`delete\`. A shipment can be in one item only.

With \`atomic\`, which is the default, all items are written in one transaction and the answer is 200; or none is, and the answer is a \`BULK_REFUSED\` problem whose \`items\` have a \`problem\` where one was refused, and status 424 where it was not.

With \`"atomic": false\` each item is written or refused on its own. The answer is 207, and each item has a \`status\`. With an \`Idempotency-Key\` that answer is kept even when items were refused, and a repetition after a lost answer continues where the first attempt ended: nothing is done twice, and no item conflicts with itself. Refused items are kept without \`changes\` and \`errors\`; the \`detail\` of a repeated answer says so. An item with status 503 and code \`UNAVAILABLE\` was not done. One with code \`OUTCOME_UNKNOWN\` may have been done or not: the COMMIT of its transaction was not answered. Repeat the request with the same key to settle both; without a key, read the shipments of \`OUTCOME_UNKNOWN\` first.

The values in the 412 of an item have at most ${MAX_VALUE_BYTES} bytes together. Where they would have more, the longest are left out, and their change is marked \`truncated\`.

Each operation needs the scope of its single request: \`shipments:status\` for \`updateStatus\`, \`shipments:write\` for the others. Rate limits count items.`;

const ID: Schema = { type: 'string', description: 'The id of the shipment, or its shipmentCode.' };

const IF_MATCH: Schema = {
  type: 'string',
  pattern: TAGS_OR_BARE_ETAG_PATTERN,
  description: 'The eTag of the shipment as you last read it, as `If-Match` takes it.',
};

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

function item(op: Op, description: string, required: readonly string[], properties: Record<string, Schema>): Schema {
  return {
    type: 'object',
    description,
    required: ['op', ...required],
    properties: { op: { type: 'string', const: op, description: 'What to do.' }, ...properties },
    additionalProperties: false,
  };
}

const ITEMS: readonly Schema[] = [
  item('create', 'Creates a shipment.', ['values'], { values: ref('NewShipment') }),
  item('update', 'Changes fields of a shipment.', ['id', 'ifMatch', 'patch'], {
    id: ID,
    ifMatch: IF_MATCH,
    patch: ref('ShipmentPatch'),
  }),
  item('updateStatus', 'Changes the status of a shipment.', ['id', 'ifMatch', 'status'], {
    id: ID,
    ifMatch: IF_MATCH,
    status: schemaOfProperty(StatusChange, 'status'),
    rejectionReason: nullable(schemaOfProperty(StatusChange, 'rejectionReason')),
  }),
  item('delete', 'Deletes a shipment and all that belongs to it.', ['id'], { id: ID, ifMatch: IF_MATCH }),
];

/** The changes of a 412 in a bulk: values can be left out. */
const CHANGES = VERSIONS['changes']?.schema ?? {};
const BOUNDED_CHANGES: Schema = {
  type: 'array',
  description: 'As in the 412 of the single request, with values of bounded length.',
  items: {
    ...CHANGES.items,
    required: ['field', 'conflicting'],
    properties: {
      ...CHANGES.items?.properties,
      truncated: { type: 'boolean', const: true, description: 'There, when the values are too long to be shown.' },
    },
  },
};

const TEXT: Schema = { type: 'string' };

/** A problem of any code that an item can have. */
const ITEM_PROBLEM: Schema = {
  type: 'object',
  description: 'The problem that the single request would have been answered with.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestID'],
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'Leads to the explanation of this problem.' },
    title: { ...TEXT, description: 'The problem in a few words.' },
    status: { type: 'integer', description: 'The status of the item.' },
    detail: { ...TEXT, description: 'What happened this time, for people.' },
    instance: { ...TEXT, description: 'The path of the shipment, or of the collection for a new one.' },
    code: { ...TEXT, description: 'The problem, for programs.', examples: ['PRECONDITION_FAILED'] },
    requestID: { ...TEXT, description: 'What `X-Request-ID` says; quote it when you ask for help.' },
    ...schemasOf(FIELD_ERRORS),
    ...schemasOf(STATUS_MEMBERS),
    ...schemasOf(VERSIONS),
    changes: BOUNDED_CHANGES,
  },
};

function schemasOf(members: Readonly<Record<string, { readonly schema: Schema }>>): Record<string, Schema> {
  return Object.fromEntries(Object.entries(members).map(([name, { schema }]) => [name, schema]));
}

/** What became of one item; a problem with several items names it, too. */
const ITEM_RESULT: Schema = {
  type: 'object',
  description: 'What became of one item.',
  required: ['status'],
  properties: {
    status: {
      type: 'integer',
      description:
        'The status of the single request; 424 when it was not done because others were refused. 503 with the code `OUTCOME_UNKNOWN` when it may have been done or not, with `UNAVAILABLE` when it was not done.',
    },
    shipment: { ...ref('Shipment'), description: 'The shipment after the change.' },
    problem: ITEM_PROBLEM,
  },
};

export const BULK_SCHEMAS = {
  request: {
    type: 'object',
    description: 'Many writes in one request.',
    required: ['items'],
    properties: {
      atomic: { type: 'boolean', default: true, description: 'Whether all items are done or none.' },
      items: { type: 'array', minItems: 1, maxItems: MAX_ITEMS, description: 'What to do.', items: { oneOf: ITEMS } },
    },
    additionalProperties: false,
    examples: [{ items: [{ op: 'create', values: { shipmentType: 'HHG', deliveryDate: '2026-04-15' } }] }],
  },
  answer: {
    type: 'object',
    description: 'What became of the items.',
    required: ['items'],
    properties: {
      items: { type: 'array', description: 'One result for each item, in their order.', items: ITEM_RESULT },
    },
  },
} satisfies Record<string, Schema>;

const { exampleID: id } = SHIPMENTS;

export const BULK_BODIES = {
  approve: {
    summary: 'Approve, all or none',
    value: { items: [{ op: 'updateStatus', id, ifMatch: EXAMPLE_ETAG, status: 'APPROVED' }] },
  },
  each: {
    summary: 'New dates, each for itself',
    value: {
      atomic: false,
      items: [
        { op: 'update', id, ifMatch: EXAMPLE_ETAG, patch: { deliveryDate: '2026-04-18' } },
        { op: 'create', values: { shipmentType: 'HHG' } },
      ],
    },
  },
};
