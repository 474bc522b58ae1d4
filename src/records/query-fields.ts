import { applyDecorators } from '@nestjs/common';
import { EXAMPLE_ETAG } from '../validation/json-schema.js';
import { JsonSchema } from '../validation/json-schema.decorator.js';
import type { Relation } from './resource.js';
import { ETagText, ListOf, OneOf, Timestamp } from '../validation/rules.js';

export function Expand(relations: readonly Relation[]): PropertyDecorator {
  const scopes = relations.map(({ name, to }) => `\`${to.readScope}\` for \`${name}\``);
  return applyDecorators(
    JsonSchema({
      description: `Nested objects to include. Separate several with commas, or repeat the parameter. Requires the scope to read them: ${scopes.join(', ')}.`,
    }),
    ListOf(),
    OneOf(relations.map(({ name }) => name)),
  );
}

export function Counted(): PropertyDecorator {
  return applyDecorators(
    JsonSchema({
      description:
        'With `true`, the header `Waybill-Count` has the number of records on all pages together: `8123`, or `10000+` if it is at least that. A `+` after a smaller number means that the count has examined as many records as it may, and that more may match.',
      examples: ['true'],
    }),
    OneOf(['true', 'false']),
  );
}

export function Version(): PropertyDecorator {
  return applyDecorators(
    JsonSchema({
      description:
        'Read the version of the record with this eTag, even if the record was deleted since. Cannot be combined with `expand`.',
      examples: [EXAMPLE_ETAG],
    }),
    ETagText(),
  );
}

export function UpdatedSince(): PropertyDecorator {
  return applyDecorators(
    JsonSchema({
      description:
        'Only records changed at or after this time, oldest change first. To poll for changes, follow the `Link` with `rel="monitor"` of the last page: its `updatedSince` misses no creation and no change. Records may be repeated.',
      examples: ['2026-01-31T12:00:00Z'],
    }),
    Timestamp(),
  );
}
