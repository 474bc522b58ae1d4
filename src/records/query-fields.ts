import { applyDecorators } from '@nestjs/common';
import { EXAMPLE_ETAG } from '../validation/json-schema.js';
import { JsonSchema } from '../validation/json-schema.decorator.js';
import { ETagText, ListOf, OneOf, Timestamp } from '../validation/rules.js';

/** Names what a record can have nested in it; the relations say what these are. */
export function Expand(...names: readonly string[]): PropertyDecorator {
  return applyDecorators(
    JsonSchema({
      description:
        'Nested objects to include. Several are separated by commas, or the parameter is repeated. Needs the scope to read them: `moves:read` for `move`, `shipments:read` for the others.',
    }),
    ListOf('by comma'),
    OneOf(names),
  );
}

export function Version(): PropertyDecorator {
  return applyDecorators(
    JsonSchema({
      description: 'Read the record as it was at this eTag, also after it was deleted. Not together with `expand`.',
      examples: [EXAMPLE_ETAG],
    }),
    ETagText(),
  );
}

export function UpdatedSince(): PropertyDecorator {
  return applyDecorators(
    JsonSchema({
      description: 'Only records that were changed at or after this moment, the oldest change first.',
      examples: ['2026-01-31T12:00:00Z'],
    }),
    Timestamp(),
  );
}
