import { applyDecorators } from '@nestjs/common';
import { Excel } from '../../files/file-request.js';
import { Cursor, Limit, NO_VALUE, Sort, type Ranges } from '../../records/paging.js';
import { MOVES } from '../../model/move.entity.js';
import { NameOf } from '../../records/resource.js';
import { Counted, Expand, UpdatedSince, Version } from '../../records/query-fields.js';
import { Search } from '../../search/search-field.js';
import { isCalendarDate, isTimestamp } from '../../validation/dates.js';
import { JsonSchema } from '../../validation/json-schema.decorator.js';
import { CalendarDate, ListOf, NotEmpty, OneOf, Text } from '../../validation/rules.js';
import { relationsOf } from '../../model/relations.js';
import { STATUSES, type ShipmentStatus } from '../../model/shipment-status.js';
import { SHIPMENT_TYPE_LENGTH, SHIPMENTS } from '../../model/shipment.entity.js';

export class ShipmentQuery {
  @Expand(relationsOf(SHIPMENTS))
  expand?: string[];
}

export class ShipmentReadQuery extends ShipmentQuery {
  @Version()
  version?: string;
}

const SORTS = {
  createdAt: undefined,
  updatedAt: isTimestamp,
  pickupDate: isDateOrNone,
  deliveryDate: isDateOrNone,
};

function isDateOrNone(value: string): boolean {
  return value === NO_VALUE || isCalendarDate(value);
}

export const SHIPMENT_RANGES: Ranges = {
  updatedSince: { field: 'updatedAt', end: 'from' },
  pickupDateFrom: { field: 'pickupDate', end: 'from' },
  pickupDateTo: { field: 'pickupDate', end: 'to' },
  deliveryDateFrom: { field: 'deliveryDate', end: 'from' },
  deliveryDateTo: { field: 'deliveryDate', end: 'to' },
};

function DateLimit(condition: string, example: string): PropertyDecorator {
  return applyDecorators(
    JsonSchema({ description: `Only shipments ${condition} this date, earliest first.`, examples: [example] }),
    CalendarDate(),
  );
}

export class ShipmentListQuery {
  @Limit()
  limit?: number;

  @Cursor(SORTS)
  cursor?: string;

  @Sort(SORTS)
  sort?: string;

  @Expand(relationsOf(SHIPMENTS))
  expand?: string[];

  @JsonSchema({
    description: 'Only shipments of this move, by its id or its moveCode.',
    examples: [MOVES.exampleID],
  })
  @NameOf(MOVES)
  moveID?: string;

  @JsonSchema({
    description:
      'Only shipments with this status. To match several, repeat the parameter or separate values with commas.',
    examples: ['SUBMITTED'],
  })
  @ListOf()
  @OneOf(STATUSES)
  status?: ShipmentStatus[];

  @JsonSchema({ description: 'Only shipments of this type.', examples: ['HHG'] })
  @NotEmpty()
  @Text(SHIPMENT_TYPE_LENGTH, { blank: true })
  shipmentType?: string;

  @DateLimit('picked up on or after', '2026-04-01')
  pickupDateFrom?: string;

  @DateLimit('picked up on or before', '2026-04-30')
  pickupDateTo?: string;

  @DateLimit('delivered on or after', '2026-04-01')
  deliveryDateFrom?: string;

  @DateLimit('delivered on or before', '2026-04-30')
  deliveryDateTo?: string;

  @UpdatedSince()
  updatedSince?: string;

  @Search()
  q?: string;

  @Counted()
  count?: string;

  @Excel()
  excel?: string;
}
