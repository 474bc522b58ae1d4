import { PagingQuery } from '../../http/paging.js';
import { Expand, UpdatedSince, Version } from '../../records/query-fields.js';
import { JsonSchema } from '../../schema/json-schema.decorator.js';
import { NotEmpty, Text } from '../../schema/rules.js';
import { ORDER_ID_LENGTH } from '../move.entity.js';

export class MoveQuery {
  @Expand('shipments')
  expand?: string[];
}

export class MoveReadQuery extends MoveQuery {
  @Version()
  version?: string;
}

export class MoveListQuery extends PagingQuery {
  @Expand('shipments')
  expand?: string[];

  @JsonSchema({ description: 'Only moves with this orderID.', examples: ['ORD-2026-0042'] })
  @NotEmpty()
  @Text(ORDER_ID_LENGTH, { blank: true })
  orderID?: string;

  @UpdatedSince()
  updatedSince?: string;
}
