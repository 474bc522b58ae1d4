import { CHANGE_TYPES } from '../../history/change-types.js';
import type { Resource } from '../../records/resource.js';
import { ETAG, EXAMPLE_ETAG, nullable, TIMESTAMP, UUID, type Schema } from '../../validation/json-schema.js';
import type { NamedSchema } from '../operation.js';
import { EXAMPLE_ID } from '../texts/examples.js';

const VALUE: Schema = { type: ['string', 'integer', 'null'] };

const historyEntry = (resources: readonly Resource[]): Schema => ({
  type: 'object',
  description: 'One change of a record.',
  required: ['type', 'resource', 'resourceID', 'eTag', 'changedBy', 'subject', 'changedAt', 'requestID', 'changes'],
  properties: {
    type: {
      type: 'string',
      enum: CHANGE_TYPES,
      'x-extensible': true,
      description:
        'What was done. `erased`: values or authors of earlier changes were erased, and the record stayed as it was.',
    },
    resource: {
      type: 'string',
      enum: resources.map(({ name }) => name),
      'x-extensible': true,
      description: 'The kind of record it was done to.',
    },
    resourceID: { ...UUID, description: 'The record it was done to.', examples: [EXAMPLE_ID] },
    eTag: {
      ...nullable(ETAG),
      description: 'The version it led to; null after a deletion and an erasure.',
      examples: [EXAMPLE_ETAG],
    },
    changedBy: {
      type: 'string',
      description: 'Who did it: the subject, or the name that its token gives in the claim JWT_NAME_CLAIM.',
      examples: ['Ann Porter'],
    },
    subject: {
      type: 'string',
      description: 'The subject of the token that did it. Unlike a name, it stands for one caller only.',
      examples: ['dispatcher-7'],
    },
    changedAt: { ...TIMESTAMP, description: 'When it was done.', examples: ['2026-03-02T14:05:12.345Z'] },
    requestID: {
      type: ['string', 'null'],
      description: 'The request that did it; null when it came past the service.',
    },
    changes: {
      type: 'array',
      description: 'The fields whose value changed.',
      items: {
        type: 'object',
        required: ['field', 'to'],
        properties: {
          field: { type: 'string', description: '`destinationAddress/city` reaches into an address.' },
          from: { ...VALUE, description: 'The value before; null when there was none. Absent when it was erased.' },
          to: { ...VALUE, description: 'The value after; null when there is none.' },
        },
      },
    },
    erased: {
      type: 'boolean',
      const: true,
      description:
        'There when values or the author of this change were erased. Where values were, `changes` is empty; where the author was, `changedBy` is `erased`.',
    },
  },
});

export const HISTORY_ENTRY: NamedSchema = { name: 'HistoryEntry', schema: historyEntry };
