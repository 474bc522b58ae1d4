import { NumberedPagingQuery } from '../../records/paging.js';
import { JsonSchema } from '../../validation/json-schema.decorator.js';
import { ListOf, OneOf } from '../../validation/rules.js';
import { OUTCOMES, type Outcome } from '../import-row.js';

export class ImportRowsQuery extends NumberedPagingQuery {
  @JsonSchema({
    description: 'Only rows with this outcome. Several are taken by repeating the parameter, or separated by commas.',
    examples: ['refused'],
  })
  @ListOf('by comma')
  @OneOf(OUTCOMES)
  outcome?: Outcome[];
}
