import { NumberedPagingQuery } from '../../records/paging.js';
import { JsonSchema } from '../../validation/json-schema.decorator.js';
import { ListOf, OneOf } from '../../validation/rules.js';
import { OUTCOMES, type Outcome } from '../import-row.js';

export class ImportRowsQuery extends NumberedPagingQuery {
  @JsonSchema({
    description: 'Only rows with this outcome. To match several, repeat the parameter or separate values with commas.',
    examples: ['refused'],
  })
  @ListOf('by comma')
  @OneOf(OUTCOMES)
  outcome?: Outcome[];
}
