import type { NamedSchema } from '../openapi/operation.js';
import { FIELD_PATH } from '../openapi/schemas/history-entry.js';
import { nullable, objectSchema, TIMESTAMP, UUID, type Schema } from '../validation/json-schema.js';
import { EXAMPLE_ID } from '../openapi/texts/examples.js';
import { OUTCOMES } from './import-row.js';

export const LINE: Schema = {
  type: 'integer',
  minimum: 1,
  description: 'The line on which the row begins.',
};

export const FAULT = {
  column: {
    type: ['string', 'null'],
    description: 'The column with the fault; null for a fault of the whole row.',
  },
  code: { type: 'string', description: 'Machine-readable constant; `CONFLICT` if others changed the field.' },
  message: { type: 'string', description: 'Human-readable text that completes the sentence "<column> ...".' },
} as const satisfies Readonly<Record<string, Schema>>;

const CHANGE: Schema = {
  type: 'object',
  required: ['field', 'from', 'to'],
  properties: {
    field: FIELD_PATH,
    from: { description: 'The value in the version that the row names; null if there is none.' },
    to: { description: 'The value that the row writes; null clears the field.' },
    current: { description: 'The current value. Present if others have set another value.' },
    changedBy: { type: 'string', description: 'Who set that value, if known.' },
    changedAt: { ...TIMESTAMP, description: 'When it was set. Present if `changedBy` is.' },
  },
};

const MEMBERS: Readonly<Record<string, Schema>> = {
  line: LINE,
  outcome: { type: 'string', enum: OUTCOMES, description: '`create` and `change` are pending.' },
  resourceID: { ...nullable(UUID), description: 'The shipment; null until it is created.' },
  merged: {
    type: 'boolean',
    description: 'Whether others have changed other fields since the version of the row. Their changes are kept.',
  },
  changes: { type: 'array', description: 'The fields that the row writes.', items: CHANGE },
  code: { type: ['string', 'null'], description: 'The code of the problem if the row was refused; otherwise null.' },
  detail: { type: ['string', 'null'], description: 'Human-readable explanation of the problem.' },
  faults: {
    type: 'array',
    description: 'All faults of the row.',
    items: { type: 'object', required: Object.keys(FAULT), properties: FAULT },
  },
};

const ROW: Schema = {
  ...objectSchema('The planned or actual outcome of one row of a file.', MEMBERS, {
    erased: {
      type: 'boolean',
      const: true,
      description:
        'Present if the values of the row were erased. It can no longer be written and is not in the result file.',
    },
  }),
  examples: [
    {
      line: 2,
      outcome: 'change',
      resourceID: EXAMPLE_ID,
      merged: false,
      changes: [{ field: 'deliveryDate', from: '2026-04-15', to: '2026-04-18' }],
      code: null,
      detail: null,
      faults: [],
    },
  ],
};

export const IMPORT_ROW: NamedSchema = { name: 'ImportRow', schema: () => ROW };
