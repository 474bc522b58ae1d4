import { CHANGE_TYPES } from '../../history/change-types.js';
import { PROBLEMS } from '../../problem/catalogue.js';
import type { Resource } from '../../records/resource.js';
import { ETAG, EXAMPLE_ETAG, nullable, TIMESTAMP, UUID, type Schema } from '../../schema/json-schema.js';
import { EXAMPLE_ID } from '../texts/examples.js';
import { eventSchemas } from './event-schemas.js';
import { IMPORT_ROW } from './import-schemas.js';

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

const PROBLEM_DESCRIPTION: Schema = {
  type: 'object',
  description: 'What an error means and what to do about it.',
  required: ['type', 'code', 'status', 'title', 'meaning', 'remedy'],
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'The `type` of such problems.' },
    code: { type: 'string', description: 'The `code` of such problems.', examples: Object.keys(PROBLEMS).slice(0, 1) },
    status: { type: 'integer', minimum: 400, maximum: 599, description: 'The status of the answer.' },
    title: { type: 'string', description: 'The problem in a few words.' },
    meaning: { type: 'string', description: 'When it is answered.' },
    remedy: { type: 'string', description: 'What to do about it.' },
  },
};

const LINK: Schema = { type: 'string', format: 'uri-reference' };

/** What the service answers besides records. */
export function otherSchemas(resources: readonly Resource[]): Readonly<Record<string, Schema>> {
  return { HistoryEntry: historyEntry(resources), ...eventSchemas(resources), ...FIXED_SCHEMAS };
}

const FIXED_SCHEMAS: Readonly<Record<string, Schema>> = {
  ImportRow: IMPORT_ROW,
  Health: {
    type: 'object',
    description: 'All is well.',
    required: ['status'],
    properties: {
      status: { type: 'string', const: 'ok', description: 'Always ok; otherwise the answer is a problem.' },
    },
  },
  Welcome: {
    type: 'object',
    description: 'What the service is and where to go from here.',
    required: ['name', 'description', 'version', 'links'],
    properties: {
      name: { type: 'string', description: 'The name of the service.' },
      description: { type: 'string', description: 'What it is for.' },
      version: { type: 'string', description: 'The version of the interface.' },
      links: {
        type: 'object',
        description: 'Where to go.',
        required: ['moves', 'shipments', 'documentation', 'document', 'problems'],
        properties: {
          moves: { ...LINK, description: 'The moves.' },
          shipments: { ...LINK, description: 'The shipments.' },
          documentation: { ...LINK, description: 'The document for people, to try out.' },
          document: { ...LINK, description: 'The document for programs.' },
          problems: { ...LINK, description: 'What each error means.' },
        },
      },
    },
  },
  OpenApi: {
    type: 'object',
    description: 'A document of OpenAPI 3.1.',
    required: ['openapi', 'info', 'paths'],
    properties: { openapi: { type: 'string', pattern: '^3\\.1\\.', description: 'The version of OpenAPI.' } },
    additionalProperties: true,
  },
  ProblemDescription: PROBLEM_DESCRIPTION,
  ProblemDescriptions: {
    type: 'array',
    description: 'Every error that the service can answer with.',
    items: PROBLEM_DESCRIPTION,
  },
};
