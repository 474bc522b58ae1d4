import { ETAG, TIMESTAMP, type Schema } from '../validation/json-schema.js';

/** A member of a problem's payload. */
export interface Member {
  readonly schema: Schema;
  /** It is not always there. */
  readonly optional?: true;
}

export type Members = Readonly<Record<string, Member>>;

const TEXT: Schema = { type: 'string' };
/** Any value that a field of a record can have. */
const VALUE: Schema = { type: ['string', 'integer', 'null'] };

const FIELD_ERROR: Schema = {
  type: 'object',
  required: ['pointer', 'code', 'message'],
  properties: {
    pointer: { type: 'string', description: 'A JSON pointer into the body, or `?name` for a query parameter.' },
    code: { type: 'string', description: 'A constant for programs.', examples: ['TOO_LONG'] },
    message: { type: 'string', description: 'For people. It completes the sentence that begins with the pointer.' },
  },
};

export const FIELD_ERRORS: Members = {
  errors: {
    schema: { type: 'array', items: FIELD_ERROR, minItems: 1, maxItems: 20, description: 'The first 20 faults.' },
  },
  errorCount: { schema: { type: 'integer', minimum: 1, description: 'The number of all faults.' } },
};

const CONFLICT: Schema = {
  type: 'object',
  required: ['field', 'base', 'current', 'conflicting'],
  properties: {
    field: { ...TEXT, description: 'The field that differs; `destinationAddress/city` reaches into an address.' },
    base: { ...VALUE, description: 'Its value in the version you named.' },
    yours: {
      description:
        'The value your request would have written, as you sent it. Absent when it does not write this field.',
    },
    current: { ...VALUE, description: 'Its value now.' },
    changedBy: { ...TEXT, description: 'Who changed it last. Absent when that was more than 1,000 changes ago.' },
    changedAt: { ...TIMESTAMP, description: 'When it was changed last; there when `changedBy` is.' },
    conflicting: { type: 'boolean', description: 'Whether your request writes it, and another value than `current`.' },
  },
};

export const ERASURE: Members = {
  erased: { schema: { type: 'boolean', const: true, description: 'The values were erased.' } },
};

export const VERSIONS: Members = {
  currentETag: { schema: { ...ETAG, description: 'The eTag of the record as it is now.' }, optional: true },
  changes: {
    schema: {
      type: 'array',
      items: CONFLICT,
      description:
        'Each field that differs between the version you named and now, with its whole values, so that you can merge without another read. Absent when the history of the record does not have the version you named.',
    },
    optional: true,
  },
  erased: {
    schema: {
      type: 'boolean',
      const: true,
      description: 'There when the values of the version you named were erased, so that `changes` cannot be told.',
    },
    optional: true,
  },
};

export const SCOPE: Members = {
  missingScope: { schema: { ...TEXT, description: 'The scope that the token would need.' } },
};

export const STATUSES: Members = {
  currentStatus: { schema: { ...TEXT, description: 'The status that the shipment has.' } },
  allowedStatuses: {
    schema: { type: 'array', items: TEXT, description: 'The statuses that it can go to from there.' },
  },
};

export const EVENTS: Members = {
  oldest: { schema: { ...TEXT, description: 'A cursor for `after`: before the oldest event that is kept.' } },
};

export const FILE_PLACE: Members = {
  line: { schema: { type: 'integer', minimum: 1, description: 'The line of the file.' }, optional: true },
  column: { schema: { ...TEXT, description: 'The name of the column, as the file has it.' }, optional: true },
};

export const BULK_ITEMS: Members = {
  items: {
    schema: {
      type: 'array',
      description: 'What became of each item, in the order of the request.',
      items: {
        type: 'object',
        required: ['status'],
        properties: {
          status: { type: 'integer', description: '424 when the item itself was fine, else that of its problem.' },
          problem: {
            type: 'object',
            description: 'The problem that the single request would have been answered with.',
            additionalProperties: true,
          },
        },
      },
    },
  },
};

/** The same members, none of which has to be there. */
export function optional(members: Members): Members {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, { ...member, optional: true }]));
}
