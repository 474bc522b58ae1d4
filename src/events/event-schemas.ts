import { eventTypesOf } from '../history/change-types.js';
import type { NamedSchema } from '../openapi/operation.js';
import type { Resource } from '../records/resource.js';
import { ETAG, EXAMPLE_ETAG, nullable, TIMESTAMP, UUID, type Schema } from '../validation/json-schema.js';
import { EXAMPLE_CURSOR, EXAMPLE_ID, EXAMPLE_MOVE_ID } from '../openapi/texts/examples.js';

const VALUE: Schema = { type: ['string', 'integer', 'boolean', 'array', 'null'], items: { type: 'string' } };

const EXAMPLE_EVENT = {
  specversion: '1.0',
  id: EXAMPLE_CURSOR,
  source: '/waybill',
  type: 'shipment.updated',
  subject: `shipments/${EXAMPLE_ID}`,
  time: '2026-03-02T14:05:12.345Z',
  sequence: '0000000000000000041',
  datacontenttype: 'application/json',
  data: {
    resource: 'shipment',
    resourceID: EXAMPLE_ID,
    shipmentID: EXAMPLE_ID,
    moveID: EXAMPLE_MOVE_ID,
    eTag: EXAMPLE_ETAG,
    changedBy: 'dispatcher-7',
    requestID: 'my-request-1',
    changes: [{ field: 'deliveryDate', from: '2026-04-15', to: '2026-04-18' }],
  },
};

/** A change of a record as a CloudEvent, in the feed and in the stream. */
export const EVENT: NamedSchema = {
  name: 'Event',
  schema: (resources) => ({
    type: 'object',
    description: 'One change of a record, as a CloudEvent 1.0 in JSON.',
    required: ['specversion', 'id', 'source', 'type', 'subject', 'time', 'sequence', 'datacontenttype', 'data'],
    properties: {
      specversion: { type: 'string', const: '1.0', description: 'CloudEvents version.' },
      id: {
        type: 'string',
        description: 'Unique id of the event. It is also a cursor for `after`.',
      },
      source: { type: 'string', format: 'uri-reference', description: 'The service that emitted the event.' },
      type: {
        type: 'string',
        enum: eventTypesOf(resources),
        'x-extensible': true,
        description: 'Kind of record and type of change. Values may be added: ignore unknown ones.',
      },
      subject: { type: 'string', description: 'The record, by its path below `/v1`.' },
      time: { ...TIMESTAMP, description: 'When the change was made.' },
      sequence: {
        type: 'string',
        pattern: '^[0-9]{19}$',
        description:
          'The number of the event, zero-padded so that it sorts as text. Numbers are consecutive without a filter and with both scopes.',
      },
      datacontenttype: { type: 'string', const: 'application/json', description: 'The media type of `data`.' },
      data: eventData(resources),
    },
    examples: [EXAMPLE_EVENT],
  }),
};

export const EVENT_STREAM: NamedSchema = {
  name: 'EventStream',
  schema: () => ({
    type: 'string',
    description:
      'Server-sent events. The `data` of each is an Event in JSON, and its `id` is a cursor. A block with only an `id` reports progress while a filter hides events. After 15 idle seconds, the stream sends a comment.',
    examples: [`id: ${EXAMPLE_CURSOR}\ndata: ${JSON.stringify(EXAMPLE_EVENT)}\n\n`],
  }),
};

function eventData(resources: readonly Resource[]): Schema {
  return {
    type: 'object',
    description: 'The change.',
    required: ['resource', 'resourceID', 'shipmentID', 'moveID', 'eTag', 'changedBy', 'requestID', 'changes'],
    properties: {
      resource: {
        type: 'string',
        enum: resources.map(({ name }) => name),
        'x-extensible': true,
        description: 'The kind of record.',
      },
      resourceID: { ...UUID, description: 'The record.' },
      shipmentID: {
        ...nullable(UUID),
        description: 'The shipment, or the shipment that the record belongs to; null for any other record.',
      },
      moveID: {
        ...nullable(UUID),
        description:
          'The move, or the move that the record belongs to; null for an import or a webhook, and if the history that identifies it was archived.',
      },
      eTag: {
        ...nullable(ETAG),
        description: 'The new version; null for a deletion or an erasure.',
      },
      changedBy: { type: 'string', description: 'Who made the change.' },
      requestID: {
        type: ['string', 'null'],
        description: 'The request that made the change; null if it was made directly in the database.',
      },
      changes: {
        type: 'array',
        description: 'The fields whose value changed.',
        items: {
          type: 'object',
          required: ['field'],
          properties: {
            field: {
              type: 'string',
              description: 'Path of the field; nested fields look like `destinationAddress/city`.',
            },
            from: {
              ...VALUE,
              description: 'The old value; null if there was none. Absent if `truncated` or erased.',
            },
            to: { ...VALUE, description: 'The new value; null if there is none. Absent if `truncated`.' },
          },
        },
      },
      truncated: {
        type: 'boolean',
        description:
          'Present and true if the event would exceed 16 kB with the values, if the replica does not know this kind of record yet, or if you may not read it: read the record to get them.',
      },
      erased: {
        type: 'boolean',
        description:
          'Present and true if the values or the author of this change were erased: read the record to get its values.',
      },
    },
  };
}
