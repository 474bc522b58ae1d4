import { nullable, TIMESTAMP, UUID, type Schema } from '../validation/json-schema.js';
import type { NamedSchema } from '../openapi/operation.js';
import { EXAMPLE_ID } from '../openapi/texts/examples.js';

const VALUE: Schema = { description: 'A value as the file has it.' };

export const LINE: Schema = {
  type: 'integer',
  minimum: 1,
  description: 'The line of the file in which the row begins.',
};

/** What is wrong with a row. */
export const FAULT = {
  column: {
    type: ['string', 'null'],
    description: 'The column that it is about; null when it is about the row as a whole.',
  },
  code: { type: 'string', description: 'A constant for programs; `CONFLICT` where others changed the field.' },
  message: { type: 'string', description: 'For people. It completes the sentence that begins with the column.' },
} as const satisfies Readonly<Record<string, Schema>>;

/** A row of a file that is imported. */
const ROW: Schema = {
  type: 'object',
  description: 'What one row of a file would do, or what became of it.',
  required: ['line', 'outcome', 'resourceID', 'merged', 'changes', 'code', 'detail', 'faults'],
  properties: {
    line: LINE,
    outcome: {
      type: 'string',
      enum: ['create', 'change', 'created', 'changed', 'unchanged', 'refused'],
      description: '`create` and `change` are still to be done.',
    },
    resourceID: { ...nullable(UUID), description: 'The shipment; null while it is not created.' },
    merged: {
      type: 'boolean',
      description: 'Whether others have changed other fields since the version that the row names. Their changes stay.',
    },
    changes: {
      type: 'array',
      description: 'The fields that the row writes.',
      items: {
        type: 'object',
        required: ['field', 'from', 'to'],
        properties: {
          field: { type: 'string', description: '`destinationAddress/city` reaches into an address.' },
          from: { ...VALUE, description: 'The value in the version that the row names; null when there is none.' },
          to: { ...VALUE, description: 'The value that the row writes; null when it clears the field.' },
          current: { ...VALUE, description: 'There when others gave the field another value: theirs.' },
          changedBy: { type: 'string', description: 'Who gave it that value, where that is known.' },
          changedAt: { ...TIMESTAMP, description: 'When; there when `changedBy` is.' },
        },
      },
    },
    code: {
      type: ['string', 'null'],
      description: 'The code of the problem that the row was refused with; null when it was not.',
    },
    detail: { type: ['string', 'null'], description: 'The same for people.' },
    faults: {
      type: 'array',
      description: 'Everything that is wrong with the row.',
      items: { type: 'object', required: Object.keys(FAULT), properties: FAULT },
    },
    erased: {
      type: 'boolean',
      const: true,
      description:
        'There when the values of the row were erased. It can no longer be written, and is not in the result file.',
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
