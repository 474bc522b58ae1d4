import type { CallOptions, Http, WriteCallOptions } from './http.js';
import { cursorIn, List } from './list.js';
import { mergedRecord } from './merge.js';
import type { Child, Expanded, HistoryEntry, ToMany, Versioned } from './records.js';
import { update, type Access, type Change, type UpdateOptions } from './update.js';

/** For a write that must name the version it was made for. */
export interface WriteOptions extends WriteCallOptions {
  /** The `eTag` of the record as it was read. */
  readonly ifMatch: string;
}

/** The version that a DELETE is for may be left open. */
export type DeleteOptions = Partial<WriteOptions>;

export interface ListOptions extends CallOptions {
  /** How many records a page has at most. */
  readonly limit?: number;
}

export interface Expansion<E> {
  /** Related records to put inside. */
  readonly expand?: readonly E[];
}

/** What can be done with a record of any kind. */
export abstract class Records<R extends Versioned, P, Replacement> {
  constructor(
    protected readonly http: Http,
    private readonly collection: string,
  ) {}

  get(id: string, options: CallOptions = {}): Promise<R> {
    return this.http.call<R>({ method: 'GET', path: this.pathOf(id), ...options });
  }

  /**
   * Changes a record as it is when the change arrives: reads it, sends the patch, and makes it again when others were quicker. Give the
   * record itself instead of its id to change the version that you have, such as one that somebody looks at.
   */
  update(target: string | R, change: Change<R, P>, options: UpdateOptions<R, P> = {}): Promise<R> {
    return this.updateBy((id, patch, version) => this.patch(id, patch, version), target, change, options);
  }

  /** One attempt: what is left out stays, null clears. */
  patch(id: string, patch: P, options: WriteOptions): Promise<R> {
    return this.http.call<R>({ method: 'PATCH', path: this.pathOf(id), body: patch, ...options });
  }

  /** One attempt: what is left out becomes null. */
  replace(id: string, replacement: Replacement, options: WriteOptions): Promise<R> {
    return this.http.call<R>({ method: 'PUT', path: this.pathOf(id), body: replacement, ...options });
  }

  async delete(id: string, options: DeleteOptions = {}): Promise<void> {
    await this.http.call({ method: 'DELETE', path: this.pathOf(id), ...options });
  }

  protected async updateBy<Q>(
    write: (id: string, patch: Q, options: WriteOptions) => Promise<R>,
    target: string | R,
    change: Change<R, Q>,
    options: UpdateOptions<R, Q>,
  ): Promise<R> {
    const { signal, headers, idempotencyKey } = options;
    const call = { signal, headers, idempotencyKey };
    const id = typeof target === 'string' ? target : target.id;
    const access: Access<R, Q> = {
      read: () => this.get(id, call),
      write: (patch, ifMatch) => write(id, patch, { ifMatch, ...call }),
      merge: mergedRecord,
    };
    return update(typeof target === 'string' ? await access.read() : target, change, access, options);
  }

  protected pathOf(id: string): string {
    return `${this.collection}/${encodeURIComponent(id)}`;
  }
}

/** Records that can be shown with related ones, and as they once were. */
export abstract class RecordsWithHistory<
  R extends Versioned,
  P,
  Replacement,
  E extends keyof R & string,
> extends Records<R, P, Replacement> {
  override get<const X extends E = never>(
    id: string,
    { expand, version, ...options }: CallOptions & Expansion<X> & { readonly version?: string } = {},
  ): Promise<Expanded<R, X>> {
    const query = { expand, version };
    return this.http.call<Expanded<R, X>>({ method: 'GET', path: this.pathOf(id), query, ...options });
  }

  override patch<const X extends E = never>(
    id: string,
    patch: P,
    { expand, ...options }: WriteOptions & Expansion<X>,
  ): Promise<Expanded<R, X>> {
    const request = { method: 'PATCH', path: this.pathOf(id), query: { expand }, body: patch, ...options } as const;
    return this.http.call<Expanded<R, X>>(request);
  }

  /**
   * All records of a kind that `expand` put inside a record, newest first. An answer has a limited number of them inside; the others are
   * read when the loop gets there.
   */
  async *all<const X extends ToMany<R, E>>(
    record: Expanded<R, X>,
    name: X,
    options: CallOptions = {},
  ): AsyncGenerator<Child<R, X>, void, undefined> {
    const { [name]: inside, [`${name}Next`]: next } = record as Record<string, unknown>;
    yield* inside as Child<R, X>[];
    if (typeof next === 'string') yield* this.childrenOf<Child<R, X>>(record.id, name, options).from(cursorIn(next));
  }

  /** The list that expanded records are the beginning of. */
  protected abstract childrenOf<C>(id: string, name: E, options: CallOptions): List<C>;

  /** What happened to the record, newest first; also after it was deleted. */
  history(id: string, options: ListOptions = {}): List<HistoryEntry> {
    return listOf(this.http, `${this.pathOf(id)}/history`, options);
  }
}

/** The largest page. */
export const MAX_IN_PAGE = 200;

export function listOf<T>(http: Http, path: string, { signal, headers, ...query }: CallOptions & object): List<T> {
  return new List((cursor) => http.send({ method: 'GET', path, query: { ...query, cursor }, signal, headers }));
}
