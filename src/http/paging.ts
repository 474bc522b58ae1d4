import { BadValue, type Parameter, type ReadQuery } from './query.js';
import { isUUID } from '../schema/json-schema.js';
import { wholeNumber } from './parameters.js';

const DEFAULT_LIMIT = 50;
const MOST_LIMIT = 200;

/** A page is wanted: at most `limit` records that come after the record `after` in the list's order. */
export interface PageRequest {
  readonly limit: number;
  readonly after: string | undefined;
}

/** Where a list goes on: the key of the last record of the page before, packed so that nobody is tempted to read it. */
function cursor(isKey: (key: string) => boolean): Parameter<string> {
  return {
    parse: (written) => {
      const key = Buffer.from(written, 'base64url').toString('latin1');
      if (isKey(key) && cursorOf(key) === written) return key;
      throw new BadValue('must be a cursor as the Link header of an earlier page of this list has it');
    },
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
  };
}

export function cursorOf(lastKey: string): string {
  return Buffer.from(lastKey, 'latin1').toString('base64url');
}

const count = wholeNumber(1, MOST_LIMIT);
const limit: Parameter<number> = { ...count, schema: { ...count.schema, default: DEFAULT_LIMIT } };

/** The parameters that every list of records takes. */
export const PAGING = { limit, cursor: cursor(isUUID) } as const;

/** The parameters that a history takes: its entries are numbered. */
export const NUMBERED_PAGING = { limit, cursor: cursor((key) => /^[1-9]\d{0,17}$/.test(key)) } as const;

export type PagingQuery = ReadQuery<typeof PAGING>;
export type NumberedPagingQuery = ReadQuery<typeof NUMBERED_PAGING>;

export function pageRequest(query: PagingQuery): PageRequest {
  return { limit: query.limit ?? DEFAULT_LIMIT, after: query.cursor };
}
