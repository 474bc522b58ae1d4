import { Excel } from '../../files/file-request.js';
import { Cursor, Limit, Sort, type Ranges } from '../../records/paging.js';
import { Counted, Expand, UpdatedSince, Version } from '../../records/query-fields.js';
import { Search } from '../../search/search-field.js';
import { isTimestamp } from '../../validation/dates.js';
import { JsonSchema } from '../../validation/json-schema.decorator.js';
import { NotEmpty, Text } from '../../validation/rules.js';
import { MOVES, ORDER_ID_LENGTH } from '../../model/move.entity.js';
import { relationsOf } from '../../model/relations.js';

export class MoveQuery {
  @Expand(relationsOf(MOVES))
  expand?: string[];
}

export class MoveReadQuery extends MoveQuery {
  @Version()
  version?: string;
}

const SORTS = { createdAt: undefined, updatedAt: isTimestamp };

export const MOVE_RANGES: Ranges = { updatedSince: { field: 'updatedAt', end: 'from' } };

export class MoveListQuery {
  @Limit()
  limit?: number;

  @Cursor(SORTS)
  cursor?: string;

  @Sort(SORTS)
  sort?: string;

  @Expand(relationsOf(MOVES))
  expand?: string[];

  @JsonSchema({ description: 'Only moves with this orderID.', examples: ['ORD-2026-0042'] })
  @NotEmpty()
  @Text(ORDER_ID_LENGTH, { blank: true })
  orderID?: string;

  @UpdatedSince()
  updatedSince?: string;

  @Search()
  q?: string;

  @Counted()
  count?: string;

  @Excel()
  excel?: string;
}
