import { Excel } from '../../files/file-request.js';
import { JsonSchema } from '../../validation/json-schema.decorator.js';
import { FILE_NAME_LENGTH } from '../../model/import.entity.js';
import { OneOf, Text, textRule, WholeNumber } from '../../validation/rules.js';
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

export class UploadQuery extends NotationQuery {
  @JsonSchema({ description: 'The name of the file, for the list of imports.', examples: ['shipments.csv'] })
  @Text(FILE_NAME_LENGTH)
  fileName?: string;
}

const MAX_LINE = 2_147_483_647;

export class SettleQuery {
  @JsonSchema({ description: 'The line of the refused row. Required.', examples: [2] })
  @WholeNumber(1, MAX_LINE)
  line?: number;
}

export class ResultQuery {
  @Excel()
  excel?: string;
}
