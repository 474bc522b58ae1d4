import type { NamedSchema } from '../openapi/response.js';
import { EXAMPLE_ID } from '../openapi/examples.js';
import { ETAG, EXAMPLE_ETAG, nullable, objectSchema, TIMESTAMP, UUID } from '../validation/json-schema.js';
import { MOVES } from '../model/move.entity.js';
import { RESTORABLE } from '../model/resources.js';

const DELETION_SCHEMA = objectSchema(
  'A deleted record, which can be restored.',
  {
    resource: { type: 'string', enum: RESTORABLE.map(({ name }) => name), description: 'Kind of the deleted record.' },
    resourceID: { ...UUID, description: 'Id of the deleted record.', examples: [EXAMPLE_ID] },
    shipmentID: {
      ...nullable(UUID),
      description: 'The shipment, or the shipment that the record belongs to; null for a move.',
      examples: [EXAMPLE_ID],
    },
    moveID: {
      ...nullable(UUID),
      description: 'The move, or the move that the record belongs to.',
      examples: [MOVES.exampleID],
    },
    isCascade: {
      type: 'boolean',
      description:
        'Whether the record was deleted along with its shipment. Restoring the shipment brings it back; alone it cannot come back before.',
    },
    deletedBy: { type: 'string', description: 'The author, as in `changedBy` of history.', examples: ['Ann Porter'] },
    deletedAt: { ...TIMESTAMP, description: 'When it was deleted.', examples: ['2026-03-02T14:05:12.345Z'] },
    requestID: {
      type: ['string', 'null'],
      description: 'The request that deleted it; null if it was deleted directly in the database.',
    },
    deletionETag: {
      ...ETAG,
      description: 'The version of the deletion: send it in `If-Match` to restore the record.',
      examples: [EXAMPLE_ETAG],
    },
    values: {
      anyOf: [
        ...RESTORABLE.map(({ entity }) => ({ $ref: `#/components/schemas/${entity.name}` })),
        { type: 'null' as const },
      ],
      description: 'The record as it was. Null if its values were erased: then it cannot be restored.',
    },
  },
  {
    erased: { type: 'boolean', const: true, description: 'Present if the values or the author were erased.' },
  },
);

export const DELETION: NamedSchema = { name: 'Deletion', schema: () => DELETION_SCHEMA };
