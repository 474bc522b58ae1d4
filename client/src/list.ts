import type { ApiAnswer } from './http.js';

export interface Page<T> {
  readonly items: readonly T[];
  /** Leads to the following page; undefined on the last one. */
  readonly next: string | undefined;
}

/** A list of any length. `for await` goes through all of it, asking for the next page when it gets there. */
export class List<T> implements AsyncIterable<T> {
  constructor(private readonly fetchPage: (cursor: string | undefined) => Promise<ApiAnswer<T[]>>) {}

  /** One page: the first, or the one that the `next` of another leads to. */
  async page(cursor?: string): Promise<Page<T>> {
    const { body, headers } = await this.fetchPage(cursor);
    return { items: body, next: nextCursor(headers.get('Link')) };
  }

  [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    return this.from(undefined);
  }

  /** All of it that comes after a cursor. */
  async *from(cursor: string | undefined): AsyncGenerator<T, void, undefined> {
    let next = cursor;
    do {
      const page = await this.page(next);
      yield* page.items;
      next = page.next;
    } while (next !== undefined);
  }
}

/** The parameter of the next page's address that leads there. */
export function nextCursor(link: string | null, parameter = 'cursor'): string | undefined {
  const [, target] = /<([^>]*)>; *rel="next"/.exec(link ?? '') ?? [];
  return target === undefined ? undefined : cursorIn(target, parameter);
}

/** The address may be a path only, and nothing but the cursor is wanted of it. */
export function cursorIn(address: string, parameter = 'cursor'): string | undefined {
  return new URL(address, 'http://localhost').searchParams.get(parameter) ?? undefined;
}
