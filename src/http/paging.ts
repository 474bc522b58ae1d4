import { BadValue, type Parameter, type ReadQuery } from './query.js';
import { isUUID, wholeNumber } from './parameters.js';

const DEFAULT_LIMIT = 50;
const MOST_LIMIT = 200;

/** A page is wanted: at most `limit` records that come after the record `after` in the list's order. */
export interface PageRequest {
  readonly limit: number;
  readonly after: string | undefined;
}

const cursor: Parameter<string> = {
  parse: (written) => {
    const id = cursorToID(written);
    if (id === undefined) throw new BadValue('must be a cursor taken from a Link header of this list');
    return id;
  },
};

/** The parameters that every list takes. */
export const PAGING = { limit: wholeNumber(1, MOST_LIMIT), cursor } as const;

export type PagingQuery = ReadQuery<typeof PAGING>;

export function pageRequest(query: PagingQuery): PageRequest {
  return { limit: query.limit ?? DEFAULT_LIMIT, after: query.cursor };
}

/** A cursor is the last id of the page before, packed so that nobody is tempted to read it. */
export function cursorOf(lastID: string): string {
  return Buffer.from(lastID.replaceAll('-', ''), 'hex').toString('base64url');
}

function cursorToID(written: string): string | undefined {
  const hex = Buffer.from(written, 'base64url').toString('hex');
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return isUUID(id) && cursorOf(id) === written ? id : undefined;
}
