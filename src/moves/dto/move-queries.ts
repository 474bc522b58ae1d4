import { PAGING } from '../../http/paging.js';
import { eTag, namesOf, text, timestamp } from '../../http/parameters.js';
import type { ReadQuery } from '../../http/query.js';
import { ORDER_ID_LENGTH } from '../move.entity.js';

export const MOVE_QUERY = { expand: namesOf(['shipments']) };

export const MOVE_READ_QUERY = { ...MOVE_QUERY, version: eTag };

export const MOVE_LIST_QUERY = {
  ...PAGING,
  ...MOVE_QUERY,
  orderID: text(ORDER_ID_LENGTH),
  updatedSince: timestamp,
};

export type MoveReadQuery = ReadQuery<typeof MOVE_READ_QUERY>;
export type MoveQuery = ReadQuery<typeof MOVE_QUERY>;
export type MoveListQuery = ReadQuery<typeof MOVE_LIST_QUERY>;
