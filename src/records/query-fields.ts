import { applyDecorators } from '@nestjs/common';
import { EXAMPLE_ETAG } from '../validation/json-schema.js';
import { JsonSchema } from '../validation/json-schema.decorator.js';
import { ETagText, ListOf, OneOf, Text, Timestamp } from '../validation/rules.js';

/** The names of the relations that can be expanded. */
export function Expand(...names: readonly string[]): PropertyDecorator {
  return applyDecorators(
    JsonSchema({
      description:
        'Nested objects to include. Separate several with commas, or repeat the parameter. Requires the scope to read them: `moves:read` for `move`, `shipments:read` for the others.',
    }),
    ListOf(),
    OneOf(names),
  );
}

const MAX_SEARCH_LENGTH = 100;

/** Words to search for. */
export function Search(): PropertyDecorator {
  return applyDecorators(
    JsonSchema({
      description:
        'Only records that contain all these words, each as a prefix of a word, anywhere in the shipment, its children or its move. The end of a shipmentCode is found, too: `ST9-02`. Case and accents are ignored. Sorted newest first. Requires the scopes `moves:read` and `shipments:read`. A page can have fewer records than `limit` and still have a next page. A search that takes too long is 400 with the code `TOO_BROAD`: add a word, or a filter that few records match. If very much has just changed, the page has what is indexed, and the header `Waybill-Search-Behind`; a file is 503 instead.',
      examples: ['springfield hop'],
    }),
    Text(MAX_SEARCH_LENGTH),
  );
}

/** Whether to count the list. */
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
