import { applyDecorators } from '@nestjs/common';
import { fieldProblem, type Problem } from '../problem/problem.js';
import { isUUID } from '../validation/json-schema.js';
import { JsonSchema } from '../validation/json-schema.decorator.js';
import { OneOf, textRule, WholeNumber } from '../validation/rules.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** The order of a list that is not asked for another one. Ids are UUIDv7, so the order of the ids is the order of creation. */
export const NEWEST_FIRST = '-createdAt';

/** Stands for a missing value in the order of a list: PostgreSQL sorts infinity after every date. */
export const NO_VALUE = 'infinity';

/** The fields that a list can be sorted by, and what their values look like in a cursor; the order of creation needs the id alone. */
type SortFields = Readonly<Record<string, ((value: string) => boolean) | undefined>>;

/** The parameters that ask for a range, and which end of the range over which field each of them is. */
export type Ranges = Readonly<Record<string, { readonly field: string; readonly end: 'from' | 'to' }>>;

/** One page of a list of records. */
export interface PageRequest {
  readonly limit: number;
  /** A field, with `-` in front for descending order. */
  readonly sort: string;
  /** The key of the last record of the page before in that order: the value of the field, and the id. */
  readonly after?: readonly string[] | undefined;
  /** The values that the field may have, both ends included. */
  readonly range?: { readonly from?: string; readonly to?: string } | undefined;
}

export function Limit(): PropertyDecorator {
  return applyDecorators(
    JsonSchema({ description: 'How many records a page has at most.', default: DEFAULT_LIMIT, examples: [50] }),
    WholeNumber(1, MAX_LIMIT),
  );
}

/** Where a list goes on: its order and the key of the last record of the page before, packed so that nobody is tempted to read it. */
export function Cursor(fields: SortFields): PropertyDecorator {
  return cursorOn((text) => isPosition(fields, text));
}

function cursorOn(isPlace: (text: string) => boolean): PropertyDecorator {
  const message =
    'must be a cursor as the Link header of an earlier page of this list has it; leave it out to start again with the first page';
  return applyDecorators(
    JsonSchema({
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{1,128}$',
      description:
        'Where the list goes on: taken as it is from the `Link` header of the page before. It is good for the order that it was made for.',
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
        'The order of the list, with `-` for descending. Without it the list comes newest first, or by the field of the range that is asked for; a range can be sorted by its own field only. Records without a value come last, and first in descending order.',
      examples: ['-updatedAt'],
    }),
    OneOf(Object.keys(fields).flatMap((field) => [field, `-${field}`])),
  );
}

function isPosition(fields: SortFields, text: string): boolean {
  const [sort = '', ...key] = text.split(' ');
  const field = fieldOf(sort);
  if (!Object.hasOwn(fields, field) || !isUUID(key.at(-1) ?? '')) return false;
  const isValue = fields[field];
  return isValue === undefined ? key.length === 1 : key.length === 2 && isValue(key[0] ?? '');
}

export function cursorOf(text: string): string {
  return Buffer.from(text, 'latin1').toString('base64url');
}

export function textIn(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('latin1');
}

/** The parameters of a list of records that always comes newest first. */
export class PagingQuery {
  @Limit()
  limit?: number;

  @Cursor({ createdAt: undefined })
  cursor?: string;
}

/** The parameters that a history takes: its entries are numbered. */
export class NumberedPagingQuery {
  @Limit()
  limit?: number;

  @cursorOn((text) => /^[1-9]\d{0,17}$/.test(text))
  cursor?: string;
}

export function numberedPage({ limit = DEFAULT_LIMIT, cursor }: NumberedPagingQuery) {
  return { limit, after: cursor && textIn(cursor) };
}

/** The page that a query asks for, or 400: sorted as `sort` says, else by the field of the range, else newest first. */
export function pageRequest(query: PagingQuery & { readonly sort?: string }, ranges: Ranges = {}): PageRequest {
  const values = query as Readonly<Record<string, string | undefined>>;
  const asked = Object.entries(ranges).filter(([name]) => values[name] !== undefined);
  const [first] = asked;
  const field = first?.[1].field;
  const other = asked.find(([, range]) => range.field !== field);
  if (first !== undefined && other !== undefined) {
    const reason = 'a list takes a range over one field only, by which it is sorted';
    throw refused(other[0], `cannot be combined with ${first[0]}; ${reason}`);
  }
  const sort = query.sort ?? field ?? NEWEST_FIRST;
  if (first !== undefined && fieldOf(sort) !== field) {
    throw refused('sort', `must be ${String(field)} or -${String(field)} together with ${first[0]}`);
  }
  const [cursorSort = sort, ...after] = query.cursor === undefined ? [] : textIn(query.cursor).split(' ');
  if (cursorSort !== sort) {
    const reason = `is of a list sorted by ${cursorSort}, and this one is sorted by ${sort}`;
    throw refused('cursor', `${reason}; leave it out to start again with the first page`);
  }
  return {
    limit: query.limit ?? DEFAULT_LIMIT,
    sort,
    after: query.cursor === undefined ? undefined : after,
    range: first && Object.fromEntries(asked.map(([name, { end }]) => [end, values[name]])),
  };
}

export function fieldOf(sort: string): string {
  return sort.replace(/^-/, '');
}

function refused(name: string, message: string): Problem {
  return fieldProblem('INVALID_PARAMETER', [{ pointer: `?${name}`, code: 'INVALID_VALUE', message }]);
}
