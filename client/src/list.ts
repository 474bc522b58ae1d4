import type { ApiAnswer } from './answers.js';

/** How many records match. `more` if the count ended before it had all: it is at least that many. */
export interface Count {
  readonly count: number;
  readonly more: boolean;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
  /** On the last page of a list with `updatedSince`, oldest change first: the `updatedSince` of the next poll. */
  readonly monitor?: string;
  /** Set if a search found only what is indexed, because too much has just changed: the number of changes that the index lacks. */
  readonly searchBehind?: number;
  /** With `count: true`, on the first page: the number of records on all pages together. */
  readonly count?: Count;
}

/** A list of any length. `for await` iterates over all of it and fetches pages on demand. */
export class List<T> implements AsyncIterable<T> {
  constructor(private readonly fetchPage: (cursor: string | undefined) => Promise<ApiAnswer<T[]>>) {}

  /** One page: the first, or the one at the `next` of another page. */
  async page(cursor?: string): Promise<Page<T>> {
    const { body, headers } = await this.fetchPage(cursor);
    const link = headers.get('Link');
    const monitor = linkedParameter(link, 'monitor', 'updatedSince');
    const behind = headers.get('Waybill-Search-Behind');
    const count = countIn(headers.get('Waybill-Count'));
    return {
      items: body,
      next: nextCursor(link),
      ...(monitor !== undefined && { monitor }),
      ...(behind !== null && { searchBehind: Number(behind) }),
      ...(count !== undefined && { count }),
    };
  }

  [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    return this.from(undefined);
  }

  /** All items after a cursor. */
  async *from(cursor: string | undefined): AsyncGenerator<T, void, undefined> {
    let next = cursor;
    do {
      const page = await this.page(next);
      yield* page.items;
      next = page.next;
    } while (next !== undefined);
  }
}

/** `8123`, or `10000+`. */
function countIn(header: string | null): Count | undefined {
  const [, number, more] = /^(\d+)(\+?)$/.exec(header ?? '') ?? [];
  return number === undefined ? undefined : { count: Number(number), more: more === '+' };
}

/** The cursor in the URL of the next page. */
export function nextCursor(link: string | null, parameter = 'cursor'): string | undefined {
  return linkedParameter(link, 'next', parameter);
}

function linkedParameter(link: string | null, relation: string, parameter: string): string | undefined {
  const [, target] = new RegExp(`<([^>]*)>; *rel="${relation}"`).exec(link ?? '') ?? [];
  return target === undefined ? undefined : cursorIn(target, parameter);
}

/** The URL may be relative. Only the cursor is used. */
export function cursorIn(address: string, parameter = 'cursor'): string | undefined {
  return new URL(address, 'http://localhost').searchParams.get(parameter) ?? undefined;
}
