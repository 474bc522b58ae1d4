import { applyDecorators } from '@nestjs/common';
import type { PlainRow } from '../database/statement.js';
import { invalidParameter } from '../problem/problem.js';
import { isTimestamp } from '../validation/dates.js';
import { isUUID } from '../validation/json-schema.js';
import { JsonSchema } from '../validation/json-schema.decorator.js';
import { OneOf, textRule, WholeNumber } from '../validation/rules.js';

export const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** The default order of a list. Ids are UUIDv7, so they are sorted by creation time. */
export const NEWEST_FIRST = '-createdAt';

/** Sort value of a missing date: PostgreSQL sorts infinity after every date. */
export const NO_VALUE = 'infinity';

/** The sortable fields, each with a check for its value in a cursor; sorting by creation time needs only the id. */
type SortFields = Readonly<Record<string, ((value: string) => boolean) | undefined>>;

/** The range parameters, each with its field and its end of the range. */
export type Ranges = Readonly<Record<string, { readonly field: string; readonly end: 'from' | 'to' }>>;

export interface PageRequest {
  readonly limit: number;
  /** A field, prefixed with `-` for descending order. */
  readonly sort: string;
  /** The sort key of the last record on the previous page: the value of the field, and the id. */
  readonly after?: readonly string[] | undefined;
  /** The moment to poll from after the last page, in milliseconds, if an earlier page determined it. */
  readonly mark?: number | undefined;
  /** Whether to count the records of the list. */
  readonly count?: boolean | undefined;
  /** A range of a field, inclusive. The list is sorted by that field, unless it is a search. */
  readonly range?: { readonly field: string; readonly from?: string; readonly to?: string } | undefined;
}

/** The rows of a page, and what was selected with them. */
export interface FoundPage {
  readonly records: readonly PlainRow[];
  /** The sort key of the last record, if another page follows. */
  readonly lastKey?: string | undefined;
  /** A moment that no write that this page does not show can precede; null before the first mark. */
  readonly mark?: string | null | undefined;
  /** For a search that found only what is indexed: the number of changes that are not. */
  readonly behind?: string | null | undefined;
}

export function Limit(): PropertyDecorator {
  return applyDecorators(
    JsonSchema({ description: 'Maximum number of records per page.', default: DEFAULT_LIMIT, examples: [50] }),
    WholeNumber(1, MAX_LIMIT),
  );
}

/** The position of a page: sort order and key of the last record on the previous page, encoded to be opaque. */
export function Cursor(fields: SortFields): PropertyDecorator {
  return cursorOn((text) => isPosition(fields, text));
}

export function cursorOn(isPlace: (text: string) => boolean): PropertyDecorator {
  const message =
    'must be a cursor from the Link header of an earlier page of this list; omit it to start at the first page';
  return applyDecorators(
    JsonSchema({
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{1,128}$',
      description:
        'Position of the page, copied unchanged from the `Link` header of the previous page. A cursor is valid only for the sort order it was issued for.',
    }),
    textRule('INVALID_CURSOR', message, (written) => {
      const text = textIn(written);
      return isPlace(text) && cursorOf(text) === written;
    }),
  );
}

export function Sort(fields: SortFields): PropertyDecorator {
  return applyDecorators(
    JsonSchema({
      description:
        'The sort order, with `-` for descending. The default is newest first, or the field of the requested range; a range can only be sorted by its own field. Records without a value come last, or first in descending order.',
      examples: ['-updatedAt'],
    }),
    OneOf(Object.keys(fields).flatMap((field) => [field, `-${field}`])),
  );
}

/** A cursor by `updatedAt` may have a mark in milliseconds between the value and the id. */
function isMark(text: string): boolean {
  return /^-?\d{1,15}$/.test(text) && isTimestamp(new Date(Number(text)).toISOString());
}

function isPosition(fields: SortFields, text: string): boolean {
  const [sort = '', ...key] = text.split(' ');
  const field = fieldOf(sort);
  if (!Object.hasOwn(fields, field) || !isUUID(key.at(-1) ?? '')) return false;
  const isValue = fields[field];
  if (key.length === 3 && sort === 'updatedAt') return isValue?.(key[0] ?? '') === true && isMark(key[1] ?? '');
  return isValue === undefined ? key.length === 1 : key.length === 2 && isValue(key[0] ?? '');
}

export function cursorOf(text: string): string {
  return Buffer.from(text, 'latin1').toString('base64url');
}

export function textIn(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('latin1');
}

/** The parameters of a list that is always newest first. */
export class PagingQuery {
  @Limit()
  limit?: number;

  @Cursor({ createdAt: undefined })
  cursor?: string;
}

/** The parameters of a history, whose entries are numbered. */
export class NumberedPagingQuery {
  @Limit()
  limit?: number;

  @cursorOn((text) => /^[1-9]\d{0,17}$/.test(text))
  cursor?: string;
}

export function numberedPage({ limit = DEFAULT_LIMIT, cursor }: NumberedPagingQuery) {
  return { limit, after: cursor && textIn(cursor) };
}

/** The requested page, or 400. Sorted by `sort`, otherwise by the field of the range, otherwise newest first; a search is always newest first. */
export function pageRequest(
  query: PagingQuery & { readonly sort?: string; readonly q?: string; readonly count?: string },
  ranges: Ranges = {},
): PageRequest {
  const values = query as Readonly<Record<string, string | undefined>>;
  const requested = Object.entries(ranges).filter(([name]) => values[name] !== undefined);
  const [first] = requested;
  const field = first?.[1].field;
  const other = requested.find(([, range]) => range.field !== field);
  if (first !== undefined && other !== undefined) {
    const reason = 'a list supports a range over one field, by which it is sorted';
    throw invalidParameter(other[0], `cannot be combined with ${first[0]}; ${reason}`);
  }
  const isSearch = query.q !== undefined;
  const sort = query.sort ?? (isSearch ? NEWEST_FIRST : (field ?? NEWEST_FIRST));
  if (isSearch && sort !== NEWEST_FIRST) {
    throw invalidParameter('sort', `must be ${NEWEST_FIRST} together with q: search results are sorted newest first`);
  }
  if (!isSearch && first !== undefined && fieldOf(sort) !== field) {
    throw invalidParameter('sort', `must be ${String(field)} or -${String(field)} together with ${first[0]}`);
  }
  const [cursorSort = sort, ...position] = query.cursor === undefined ? [] : textIn(query.cursor).split(' ');
  const [mark] = position.length === 3 ? position.splice(1, 1) : [];
  if (cursorSort !== sort) {
    const reason = `was issued for a list sorted by ${cursorSort}, but this one is sorted by ${sort}`;
    throw invalidParameter('cursor', `${reason}; omit it to start at the first page`);
  }
  const ends = Object.fromEntries(requested.map(([name, { end }]) => [end, values[name]]));
  return {
    limit: query.limit ?? DEFAULT_LIMIT,
    sort,
    after: query.cursor === undefined ? undefined : position,
    mark: mark === undefined ? undefined : Number(mark),
    count: query.count === 'true',
    range: field === undefined ? undefined : { field, ...ends },
  };
}

export function fieldOf(sort: string): string {
  return sort.replace(/^-/, '');
}
