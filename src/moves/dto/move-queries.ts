import { PAGING } from '../../http/paging.js';
import { eTag, listOf, oneOf, text, timestamp } from '../../http/parameters.js';
import { BadValue, type Parameter, type ReadQuery } from '../../http/query.js';
import { isNameOf, namesDemand, nameSchema } from '../../records/resource.js';
import { MOVES, ORDER_ID_LENGTH } from '../move.entity.js';

/** A move by its id or its moveCode, as in a path. */
export const moveName: Parameter<string> = {
  parse: (written) => {
    if (isNameOf(MOVES, written)) return written;
    throw new BadValue(namesDemand(MOVES));
  },
  schema: nameSchema(MOVES),
};

export const MOVE_QUERY = { expand: listOf(oneOf(['shipments']), 'by comma') };

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
