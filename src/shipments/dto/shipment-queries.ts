import { PAGING } from '../../http/paging.js';
import { calendarDate, eTag, listOf, oneOf, text, timestamp } from '../../http/parameters.js';
import type { ReadQuery } from '../../http/query.js';
import { moveName } from '../../moves/dto/move-queries.js';
import { STATUSES } from '../shipment-status.js';
import { SHIPMENT_TYPE_LENGTH } from '../shipment.entity.js';

export const SHIPMENT_QUERY = { expand: listOf(oneOf(['services', 'agents', 'move']), 'by comma') };

export const SHIPMENT_READ_QUERY = { ...SHIPMENT_QUERY, version: eTag };

export const SHIPMENT_LIST_QUERY = {
  ...PAGING,
  ...SHIPMENT_QUERY,
  moveID: moveName,
  status: listOf(oneOf(STATUSES), 'by repetition'),
  shipmentType: text(SHIPMENT_TYPE_LENGTH),
  deliveryDateFrom: calendarDate,
  deliveryDateTo: calendarDate,
  updatedSince: timestamp,
};

export type ShipmentReadQuery = ReadQuery<typeof SHIPMENT_READ_QUERY>;
export type ShipmentQuery = ReadQuery<typeof SHIPMENT_QUERY>;
export type ShipmentListQuery = ReadQuery<typeof SHIPMENT_LIST_QUERY>;
