import { ETAG, TIMESTAMP, type Properties, type Schema } from '../validation/json-schema.js';

const TEXT: Schema = { type: 'string' };
const VALUE: Schema = { type: ['string', 'integer', 'boolean', 'array', 'null'], items: { type: 'string' } };

const FIELD_ERROR: Schema = {
  type: 'object',
  required: ['pointer', 'code', 'message'],
  properties: {
    pointer: { type: 'string', description: 'JSON pointer into the body, or `?name` for a query parameter.' },
    code: { type: 'string', description: 'Machine-readable constant.', examples: ['TOO_LONG'] },
    message: { type: 'string', description: 'Human-readable text that completes the sentence "<pointer> ...".' },
  },
};

export const FIELD_ERRORS: Properties = {
  errors: { type: 'array', items: FIELD_ERROR, minItems: 1, maxItems: 20, description: 'The first 20 errors.' },
  errorCount: { type: 'integer', minimum: 1, description: 'Total number of errors.' },
};

const CONFLICT: Schema = {
  type: 'object',
  required: ['field', 'base', 'current', 'conflicting'],
  properties: {
    field: {
      ...TEXT,
      description: 'The field that differs; nested fields have a path such as `destinationAddress/city`.',
    },
    base: { ...VALUE, description: 'Value in the version you named.' },
    yours: {
      description:
        'The value your request would have written, as you sent it. Absent when it does not write this field.',
    },
    current: { ...VALUE, description: 'Current value.' },
    changedBy: {
      ...TEXT,
      description:
        'Who changed it last. Absent if that was more than 1,000 changes ago, or if a later change was archived.',
    },
    changedAt: { ...TIMESTAMP, description: 'When it was last changed. Present if `changedBy` is.' },
    conflicting: {
      type: 'boolean',
      description:
        'Whether your request writes the field and another value than `current`. An address is one value: if you write one of its fields, every change of it conflicts, unless the whole address is what you meant.',
    },
  },
};

export const VERSIONS = {
  currentETag: { ...ETAG, description: 'Current eTag of the record.' },
  changes: {
    type: 'array',
    items: CONFLICT,
    description:
      'Each field that differs between the version you named and the current one, with complete values, so that you can merge without another read. Absent if the history does not contain the version you named.',
  },
  erased: {
    type: 'boolean',
    const: true,
    description: 'Present if the values of the version you named were erased, so `changes` is unavailable.',
  },
} satisfies Properties;

export const RESTORATION: Properties = {
  restoredBy: { ...TEXT, description: 'Who restored the record last. Absent if it was not restored recently.' },
  restoredAt: { ...TIMESTAMP, description: 'When it was restored. Present if `restoredBy` is.' },
};

export const PARENT: Properties = {
  restorePath: { ...TEXT, description: 'The path that restores the parent. Absent if it cannot be restored.' },
};
