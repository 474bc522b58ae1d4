import { NumberedPagingQuery } from '../../records/paging.js';
import { JsonSchema } from '../../validation/json-schema.decorator.js';
import { ListOf, OneOf } from '../../validation/rules.js';
import { DELIVERY_STATES, type DeliveryState } from '../delivery-schemas.js';

export class DeliveriesQuery extends NumberedPagingQuery {
  @JsonSchema({ description: 'Only deliveries in these states, separated by commas.', examples: ['pending'] })
  @ListOf()
  @OneOf(DELIVERY_STATES)
  state?: DeliveryState[];
}
