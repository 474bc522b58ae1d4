import { CHANGE_TYPES } from '../../history/change-types.js';
import type { Resource } from '../../records/resource.js';
import {
  ETAG,
  EXAMPLE_ETAG,
  nullable,
  objectSchema,
  TIMESTAMP,
  UUID,
  type Schema,
} from '../../validation/json-schema.js';
import { EXAMPLE_ID } from '../examples.js';
import { listOf, type NamedSchema, type Response } from '../response.js';

const VALUE: Schema = { type: ['string', 'integer', 'boolean', 'array', 'null'], items: { type: 'string' } };

export const FIELD_PATH: Schema = {
  type: 'string',
  description: 'Path of the field; nested fields look like `destinationAddress/city`.',
};

/** The members that history entries and events have in common. */
export function membersOfChange(resources: readonly Resource[]) {
  return {
    resource: {
      type: 'string',
      enum: resources.map(({ name }) => name),
      'x-extensible': true,
      description: 'Kind of the changed record.',
    },
    resourceID: { ...UUID, description: 'Id of the changed record.', examples: [EXAMPLE_ID] },
    eTag: {
      ...nullable(ETAG),
      description: 'The new version; null for a deletion or an erasure.',
      examples: [EXAMPLE_ETAG],
    },
    changedBy: {
      type: 'string',
      description: 'The author: the subject of the token, or the name in its claim JWT_NAME_CLAIM.',
      examples: ['Ann Porter'],
    },
    requestID: {
      type: ['string', 'null'],
      description: 'The request that made the change; null if it was made directly in the database.',
    },
  } as const satisfies Record<string, Schema>;
}

/** The list of changed fields, with the descriptions of their values. */
export function fieldChanges(required: readonly string[], described: { from: string; to: string }): Schema {
  return {
    type: 'array',
    description: 'The fields whose value changed.',
    items: {
      type: 'object',
      required,
      properties: {
        field: FIELD_PATH,
        from: { ...VALUE, description: described.from },
        to: { ...VALUE, description: described.to },
      },
    },
  };
}

function historyEntry(resources: readonly Resource[]): Schema {
  const { resource, resourceID, eTag, changedBy, requestID } = membersOfChange(resources);
  const properties: Record<string, Schema> = {
    type: {
      type: 'string',
      enum: CHANGE_TYPES,
      'x-extensible': true,
      description:
        'Type of the change. `erased`: values or authors of earlier changes were erased; the record itself did not change.',
    },
    resource,
    resourceID,
    eTag,
    changedBy,
    subject: {
      type: 'string',
      description: 'The token subject of the author. Unlike a name, it identifies a single caller.',
      examples: ['dispatcher-7'],
    },
    changedAt: { ...TIMESTAMP, description: 'When the change was made.', examples: ['2026-03-02T14:05:12.345Z'] },
    requestID,
    changes: fieldChanges(['field', 'to'], {
      from: 'The old value; null if there was none. Absent if it was archived or erased.',
      to: 'The new value; null if there is none.',
    }),
  };
  return objectSchema('One change of a record.', properties, {
    erased: {
      type: 'boolean',
      const: true,
      description:
        'Present if values or the author of this change were erased. If values were erased, `changes` is empty; if the author was, `changedBy` is `erased`.',
    },
  });
}

export const HISTORY_ENTRY: NamedSchema = { name: 'HistoryEntry', schema: historyEntry };

export const CHANGES: Response = { ...listOf(HISTORY_ENTRY), kind: 'history' };
