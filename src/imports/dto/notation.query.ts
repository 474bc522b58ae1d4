import { JsonSchema } from '../../validation/json-schema.decorator.js';
import { OneOf, textRule } from '../../validation/rules.js';
import { DATE_ORDERS, DECIMALS, type Notation } from '../reading/notations.js';

/** How to read the changed cells of a file. */
export class NotationQuery {
  @JsonSchema({
    description:
      'The order of day, month and year in dates such as 12/1/2026. Without it, the import is `ambiguous` if a changed cell has several readings.',
    examples: ['MDY'],
  })
  @OneOf(DATE_ORDERS)
  dates?: NonNullable<Notation['dates']>;

  @JsonSchema({
    description:
      'The sign before the decimals of a number, so that the other one separates thousands. Without it, the import is `ambiguous` if a changed cell such as 4,500 has several readings.',
    type: 'string',
    enum: DECIMALS,
    examples: ['.'],
  })
  @textRule('NOT_ALLOWED', 'must be a point or a comma', (text) => DECIMALS.some((each) => each === text))
  decimal?: NonNullable<Notation['decimal']>;
}
