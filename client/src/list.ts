import type { ApiAnswer } from './http.js';

export interface Page<T> {
  readonly items: readonly T[];
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** A list of any length. `for await` iterates over all of it and fetches pages on demand. */
export class List<T> implements AsyncIterable<T> {
  constructor(private readonly fetchPage: (cursor: string | undefined) => Promise<ApiAnswer<T[]>>) {}

  /** One page: the first, or the one at the `next` of another page. */
  async page(cursor?: string): Promise<Page<T>> {
    const { body, headers } = await this.fetchPage(cursor);
    return { items: body, next: nextCursor(headers.get('Link')) };
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

/** The cursor in the URL of the next page. */
export function nextCursor(link: string | null, parameter = 'cursor'): string | undefined {
  const [, target] = /<([^>]*)>; *rel="next"/.exec(link ?? '') ?? [];
  return target === undefined ? undefined : cursorIn(target, parameter);
}

/** The URL may be relative. Only the cursor is used. */
export function cursorIn(address: string, parameter = 'cursor'): string | undefined {
  return new URL(address, 'http://localhost').searchParams.get(parameter) ?? undefined;
}
