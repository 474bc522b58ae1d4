import { eventTypesOf } from '../history/change-types.js';
import type { NamedSchema } from '../openapi/operation.js';
import type { Resource } from '../records/resource.js';
import { ETAG, EXAMPLE_ETAG, nullable, TIMESTAMP, UUID, type Schema } from '../validation/json-schema.js';
import { EXAMPLE_CURSOR, EXAMPLE_ID, EXAMPLE_MOVE_ID } from '../openapi/texts/examples.js';

const VALUE: Schema = { type: ['string', 'integer', 'null'] };

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

/** A change of a record as a CloudEvent, in the feed and in the stream alike. */
export const EVENT: NamedSchema = {
  name: 'Event',
  schema: (resources) => ({
    type: 'object',
    description: 'One change of a record, as a CloudEvent 1.0 in JSON.',
    required: ['specversion', 'id', 'source', 'type', 'subject', 'time', 'sequence', 'datacontenttype', 'data'],
    properties: {
      specversion: { type: 'string', const: '1.0', description: 'The version of CloudEvents.' },
      id: {
        type: 'string',
        description: 'Unique for this event. It is a cursor, too: what comes next is `after` it.',
      },
      source: { type: 'string', format: 'uri-reference', description: 'The service that the event comes from.' },
      type: {
        type: 'string',
        enum: eventTypesOf(resources),
        'x-extensible': true,
        description: 'What was done to which kind of record. Others may come: pass over what you do not know.',
      },
      subject: { type: 'string', description: 'The record, by its path below `/v1`.' },
      time: { ...TIMESTAMP, description: 'When it was done.' },
      sequence: {
        type: 'string',
        pattern: '^[0-9]{19}$',
        description:
          'The number of the event, in digits enough for texts to sort as numbers do. Without a filter, and with both scopes, each event has the next number.',
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
      'Server-sent events. The `data` of each is an Event in JSON, its `id` a cursor. A block that has an `id` alone tells how far the stream has come while a filter hid what happened. A comment comes every 15 seconds when nothing else does.',
    examples: [`id: ${EXAMPLE_CURSOR}\ndata: ${JSON.stringify(EXAMPLE_EVENT)}\n\n`],
  }),
};

function eventData(resources: readonly Resource[]): Schema {
  return {
    type: 'object',
    description: 'What happened.',
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
        description: 'The shipment that it is or belongs to; null for a move and for an import.',
      },
      moveID: {
        ...nullable(UUID),
        description:
          'The move that it is or belongs to; null for an import, and when what told so was moved out of the database.',
      },
      eTag: {
        ...nullable(ETAG),
        description: 'The version that the change led to; null after a deletion and an erasure.',
      },
      changedBy: { type: 'string', description: 'Who made the change.' },
      requestID: {
        type: ['string', 'null'],
        description: 'The request that made it; null when it came past the service.',
      },
      changes: {
        type: 'array',
        description: 'The fields whose value changed.',
        items: {
          type: 'object',
          required: ['field'],
          properties: {
            field: { type: 'string', description: '`destinationAddress/city` reaches into an address.' },
            from: {
              ...VALUE,
              description:
                'The value before; null when there was none. Absent when `truncated`, or when it was erased.',
            },
            to: { ...VALUE, description: 'The value after; null when there is none. Absent when `truncated`.' },
          },
        },
      },
      truncated: {
        type: 'boolean',
        description:
          'There, and true, when the event would exceed 16 kB with the values, or when the replica that sent it does not know this kind of record yet: read the record for them.',
      },
      erased: {
        type: 'boolean',
        description:
          'There, and true, when the values or the author of this change were erased: read the record for its values.',
      },
    },
  };
}
