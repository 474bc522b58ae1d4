import { eventTypesOf } from '../history/change-types.js';
import type { NamedSchema } from '../openapi/response.js';
import type { Resource } from '../records/resource.js';
import { ETAG, EXAMPLE_ETAG, nullable, objectSchema, TIMESTAMP, UUID, type Schema } from '../validation/json-schema.js';
import { fieldChanges, membersOfChange } from '../openapi/schemas/history-entry.js';
import { EXAMPLE_CURSOR, EXAMPLE_ID, EXAMPLE_PREVIOUS_ETAG } from '../openapi/examples.js';
import { MOVES } from '../model/move.entity.js';

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
    moveID: MOVES.exampleID,
    eTag: EXAMPLE_ETAG,
    previousETag: EXAMPLE_PREVIOUS_ETAG,
    changedBy: 'dispatcher-7',
    requestID: 'my-request-1',
    changes: [{ field: 'deliveryDate', from: '2026-04-15', to: '2026-04-18' }],
  },
};

/** The members of every CloudEvent, with the values that are the same in all of them. */
export const CLOUD_EVENT = {
  specversion: { type: 'string', const: '1.0', description: 'CloudEvents version.' },
  source: { type: 'string', format: 'uri-reference', description: 'The service that emitted the event.' },
  datacontenttype: { type: 'string', const: 'application/json', description: 'The media type of `data`.' },
} as const satisfies Record<string, Schema>;

/** A change of a record as a CloudEvent, in the feed and in the stream. */
export const EVENT: NamedSchema = {
  name: 'Event',
  schema: (resources) => ({
    ...objectSchema('One change of a record, as a CloudEvent 1.0 in JSON.', {
      specversion: CLOUD_EVENT.specversion,
      id: { type: 'string', description: 'Unique id of the event. It is also a cursor for `after`.' },
      source: CLOUD_EVENT.source,
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
      datacontenttype: CLOUD_EVENT.datacontenttype,
      data: eventData(resources),
    }),
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
  const { resource, resourceID, eTag, changedBy, requestID } = membersOfChange(resources);
  const properties: Record<string, Schema> = {
    resource,
    resourceID,
    shipmentID: {
      ...nullable(UUID),
      description: 'The shipment, or the shipment that the record belongs to; null for any other record.',
    },
    moveID: {
      ...nullable(UUID),
      description:
        'The move, or the move that the record belongs to; null for an import, a webhook or a key, and if the history that identifies it was archived.',
    },
    eTag,
    changedBy,
    requestID,
    changes: fieldChanges(['field'], {
      from: 'The old value; null if there was none. Absent if `truncated`, or if the previous change was archived or erased.',
      to: 'The new value; null if there is none. Absent if `truncated`.',
    }),
  };
  return objectSchema('The change.', properties, {
    previousETag: {
      ...nullable(ETAG),
      description:
        'The version that the change was made to; null for a creation. If your copy has this version, you may apply `changes` to it; otherwise read the record. Absent if the previous change was archived or erased.',
      examples: [EXAMPLE_PREVIOUS_ETAG],
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
  });
}
