import { applyDecorators } from '@nestjs/common';
import { JsonSchema } from '../validation/json-schema.decorator.js';
import { Text } from '../validation/rules.js';

const MAX_SEARCH_LENGTH = 100;

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
