import { applyDecorators } from '@nestjs/common';
import { isUUID } from '../schema/json-schema.js';
import { JsonSchema } from '../schema/json-schema.decorator.js';
import { textRule, WholeNumber } from '../schema/rules.js';

const DEFAULT_LIMIT = 50;
const MOST_LIMIT = 200;

/** A page is wanted: at most `limit` records that come after the record `after` in the list's order. */
export interface PageRequest {
  readonly limit: number;
  readonly after: string | undefined;
}

function Limit(): PropertyDecorator {
  return applyDecorators(
    JsonSchema({ description: 'How many records a page has at most.', default: DEFAULT_LIMIT, examples: [50] }),
    WholeNumber(1, MOST_LIMIT),
  );
}

/** Where a list goes on: the key of the last record of the page before, packed so that nobody is tempted to read it. */
function Cursor(isKey: (key: string) => boolean): PropertyDecorator {
  const message = 'must be a cursor as the Link header of an earlier page of this list has it';
  return applyDecorators(
    JsonSchema({
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      description: 'Where the list goes on: taken as it is from the `Link` header of the page before.',
    }),
    textRule('INVALID_CURSOR', message, (written) => {
      const key = keyIn(written);
      return isKey(key) && cursorOf(key) === written;
    }),
  );
}

export function cursorOf(lastKey: string): string {
  return Buffer.from(lastKey, 'latin1').toString('base64url');
}

function keyIn(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('latin1');
}

/** The parameters that every list of records takes. */
export class PagingQuery {
  @Limit()
  limit?: number;

  @Cursor(isUUID)
  cursor?: string;
}

/** The parameters that a history takes: its entries are numbered. */
export class NumberedPagingQuery {
  @Limit()
  limit?: number;

  @Cursor((key) => /^[1-9]\d{0,17}$/.test(key))
  cursor?: string;
}

export function pageRequest({ limit = DEFAULT_LIMIT, cursor }: PagingQuery): PageRequest {
  return { limit, after: cursor && keyIn(cursor) };
}
