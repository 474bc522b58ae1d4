import { nullable, TIMESTAMP, UUID, type Schema } from '../validation/json-schema.js';
import type { NamedSchema } from '../openapi/operation.js';
import { EXAMPLE_ID } from '../openapi/texts/examples.js';

const VALUE: Schema = { description: 'A value in the file.' };

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

const ROW: Schema = {
  type: 'object',
  description: 'The planned or actual outcome of one row of a file.',
  required: ['line', 'outcome', 'resourceID', 'merged', 'changes', 'code', 'detail', 'faults'],
  properties: {
    line: LINE,
    outcome: {
      type: 'string',
      enum: ['create', 'change', 'created', 'changed', 'unchanged', 'refused'],
      description: '`create` and `change` are pending.',
    },
    resourceID: { ...nullable(UUID), description: 'The shipment; null until it is created.' },
    merged: {
      type: 'boolean',
      description: 'Whether others have changed other fields since the version of the row. Their changes are kept.',
    },
    changes: {
      type: 'array',
      description: 'The fields that the row writes.',
      items: {
        type: 'object',
        required: ['field', 'from', 'to'],
        properties: {
          field: {
            type: 'string',
            description: 'Path of the field; nested fields look like `destinationAddress/city`.',
          },
          from: { ...VALUE, description: 'The value in the version that the row names; null if there is none.' },
          to: { ...VALUE, description: 'The value that the row writes; null clears the field.' },
          current: { ...VALUE, description: 'The current value. Present if others have set another value.' },
          changedBy: { type: 'string', description: 'Who set that value, if known.' },
          changedAt: { ...TIMESTAMP, description: 'When it was set. Present if `changedBy` is.' },
        },
      },
    },
    code: {
      type: ['string', 'null'],
      description: 'The code of the problem if the row was refused; otherwise null.',
    },
    detail: { type: ['string', 'null'], description: 'Human-readable explanation of the problem.' },
    faults: {
      type: 'array',
      description: 'All faults of the row.',
      items: { type: 'object', required: Object.keys(FAULT), properties: FAULT },
    },
    erased: {
      type: 'boolean',
      const: true,
      description:
        'Present if the values of the row were erased. It can no longer be written and is not in the result file.',
    },
  },
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
