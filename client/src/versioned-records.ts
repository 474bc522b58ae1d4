import { LIST, NOTHING, recordOf } from './expected.js';
import type { CallOptions, Http, WriteCallOptions } from './http.js';
import { cursorIn, List } from './list.js';
import { mergedRecord } from './merge.js';
import type { Child, Expanded, HistoryEntry, ToMany, Versioned } from './records.js';
import { update, type Access, type Change, type UpdateOptions } from './update.js';

/** Options of a write that requires a version. */
export interface WriteOptions extends WriteCallOptions {
  /** The `eTag` of the record as read. */
  readonly ifMatch: string;
}

/** On DELETE the version is optional. */
export type DeleteOptions = Partial<WriteOptions>;

export interface ListOptions extends CallOptions {
  /** The maximum number of records per page. */
  readonly limit?: number;
}

export interface Expansion<E> {
  /** Related records to embed. */
  readonly expand?: readonly E[];
}

/** The operations on every resource. */
export abstract class Records<R extends Versioned, P, Replacement> {
  /** Fields that a 412 does not report, left out after a merge. Undefined if the record must be read after a 412. */
  protected abstract readonly unreported: readonly string[] | undefined;

  constructor(
    protected readonly http: Http,
    private readonly collection: string,
  ) {}

  get(id: string, options: CallOptions = {}): Promise<R> {
    return this.http.call<R>({ method: 'GET', path: this.pathOf(id), expected: recordOf(id), ...options });
  }

  /**
   * Reads the current record, sends the patch, and retries if others were faster. Pass the record instead of its id to change the version
   * that you have, such as one that a user is looking at.
   */
  update(target: string | R, change: Change<R, P>, options: UpdateOptions<R, P> = {}): Promise<R> {
    return this.updateBy((id, patch, version) => this.patch(id, patch, version), target, change, options);
  }

  /** One attempt: absent fields stay, null clears a field. */
  patch(id: string, patch: P, options: WriteOptions): Promise<R> {
    const expected = recordOf(id);
    return this.http.call<R>({ method: 'PATCH', path: this.pathOf(id), body: patch, expected, ...options });
  }

  /** One attempt: absent fields become null. */
  replace(id: string, replacement: Replacement, options: WriteOptions): Promise<R> {
    const expected = recordOf(id);
    return this.http.call<R>({ method: 'PUT', path: this.pathOf(id), body: replacement, expected, ...options });
  }

  async delete(id: string, options: DeleteOptions = {}): Promise<void> {
    await this.http.call({ method: 'DELETE', path: this.pathOf(id), expected: NOTHING, ...options });
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
      merge: (base, report) => this.unreported && mergedRecord(base, report, this.unreported),
    };
    return update(typeof target === 'string' ? await access.read() : target, change, access, options);
  }

  protected pathOf(id: string): string {
    return `${this.collection}/${encodeURIComponent(id)}`;
  }
}

/** Resources with relations and earlier versions. */
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
    const expected = recordOf(id);
    return this.http.call<Expanded<R, X>>({ method: 'GET', path: this.pathOf(id), query, expected, ...options });
  }

  override patch<const X extends E = never>(
    id: string,
    patch: P,
    { expand, ...options }: WriteOptions & Expansion<X>,
  ): Promise<Expanded<R, X>> {
    const request = { method: 'PATCH', path: this.pathOf(id), query: { expand }, body: patch, ...options } as const;
    return this.http.call<Expanded<R, X>>({ ...request, expected: recordOf(id) });
  }

  /**
   * All related records of a kind, newest first: those that `expand` embedded, then the rest, fetched on demand, because a response embeds
   * only a limited number.
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

  /** The list that contains all related records. */
  protected abstract childrenOf<C>(id: string, name: E, options: CallOptions): List<C>;

  /** Restores a deleted record and what was deleted along with it. The `deletionETag` is in `client.deletions.list()`. */
  undelete(id: string, deletionETag: string, options: WriteCallOptions = {}): Promise<R> {
    return undelete<R>(this.http, this.pathOf(id), id, deletionETag, options);
  }

  /** The history of the record, newest first; available even after it was deleted. */
  history(id: string, options: ListOptions = {}): List<HistoryEntry> {
    return listOf(this.http, `${this.pathOf(id)}/history`, options);
  }
}

export function undelete<R>(
  http: Http,
  path: string,
  id: string,
  deletionETag: string,
  options: WriteCallOptions,
): Promise<R> {
  const request = { method: 'POST', path: `${path}/undelete`, ifMatch: deletionETag, expected: recordOf(id) } as const;
  return http.call<R>({ ...request, ...options });
}

/** The largest page. */
export const MAX_IN_PAGE = 200;

export function listOf<T>(
  http: Http,
  path: string,
  { signal, headers, count, ...query }: CallOptions & { readonly count?: boolean },
): List<T> {
  return new List((cursor) => {
    const page = { ...query, cursor, ...(count && cursor === undefined && { count: 'true' }) };
    return http.send({ method: 'GET', path, query: page, expected: LIST, signal, headers });
  });
}
