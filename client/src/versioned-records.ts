import type { CallOptions, Http } from './http.js';
import { List } from './list.js';
import type { Expanded, HistoryEntry, Versioned } from './records.js';
import { update, type Change, type UpdateOptions } from './update.js';

/** For a write that must name the version it was made for. */
export interface WriteOptions extends CallOptions {
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

  get(id: string, { signal }: CallOptions = {}): Promise<R> {
    return this.http.call<R>({ method: 'GET', path: this.pathOf(id), signal });
  }

  /**
   * Changes a record as it is when the change arrives: reads it, sends what `change` makes of it, and begins anew when others were
   * quicker. Give the record itself instead of its id to change the version that you have, such as one that somebody looks at.
   */
  update(target: string | R, change: Change<R, P>, options: UpdateOptions<R, P> = {}): Promise<R> {
    return this.updateBy((id, patch, version) => this.patch(id, patch, version), target, change, options);
  }

  /** One attempt: what is left out stays, null clears. */
  patch(id: string, patch: P, { ifMatch, signal }: WriteOptions): Promise<R> {
    return this.http.call<R>({ method: 'PATCH', path: this.pathOf(id), body: patch, ifMatch, signal });
  }

  /** One attempt: what is left out becomes null. */
  replace(id: string, replacement: Replacement, { ifMatch, signal }: WriteOptions): Promise<R> {
    const request = { method: 'PUT', path: this.pathOf(id), body: replacement, ifMatch, signal } as const;
    return this.http.call<R>(request);
  }

  async delete(id: string, { ifMatch, signal }: DeleteOptions = {}): Promise<void> {
    await this.http.call({ method: 'DELETE', path: this.pathOf(id), ifMatch, signal });
  }

  protected async updateBy<Q>(
    write: (id: string, patch: Q, options: WriteOptions) => Promise<R>,
    target: string | R,
    change: Change<R, Q>,
    options: UpdateOptions<R, Q>,
  ): Promise<R> {
    const { signal } = options;
    const id = typeof target === 'string' ? target : target.id;
    const read = () => this.get(id, { signal });
    const record = typeof target === 'string' ? await read() : target;
    return update(record, change, { read, write: (patch, ifMatch) => write(id, patch, { ifMatch, signal }) }, options);
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
    { signal, ...query }: CallOptions & Expansion<X> & { readonly version?: string } = {},
  ): Promise<Expanded<R, X>> {
    return this.http.call<Expanded<R, X>>({ method: 'GET', path: this.pathOf(id), query, signal });
  }

  override patch<const X extends E = never>(
    id: string,
    patch: P,
    { ifMatch, signal, ...query }: WriteOptions & Expansion<X>,
  ): Promise<Expanded<R, X>> {
    const request = { method: 'PATCH', path: this.pathOf(id), query, body: patch, ifMatch, signal } as const;
    return this.http.call<Expanded<R, X>>(request);
  }

  /** What happened to the record, newest first; also after it was deleted. */
  history(id: string, options: ListOptions = {}): List<HistoryEntry> {
    return listOf(this.http, `${this.pathOf(id)}/history`, options);
  }
}

export function listOf<T>(http: Http, path: string, { signal, ...query }: CallOptions & object): List<T> {
  return new List((cursor) => http.send({ method: 'GET', path, query: { ...query, cursor }, signal }));
}
