import { partialMatchKey, type Query, type QueryCacheNotifyEvent, type QueryClient } from '@tanstack/query-core';
import { isProblem, type Event } from '@waybill/client';
import {
  changedRecords,
  holdsRecords,
  withoutRepetitions,
  type Change,
  type Copy,
  type Pages,
  type Resource,
} from '../model/held-records.js';
import { isNews, isRestoration, timeOf, withNews, type News } from '../model/news.js';

type Key = readonly unknown[];

interface Fetch {
  /** When it began. */
  readonly at: number;
  /** Whether it reads only the next page, after those that the query has. */
  readonly isNextPage: boolean;
}

/** News of a record, or a change of what queries contain. */
type Arrived =
  | { readonly id: string; readonly news: News }
  | { readonly key: Key; readonly change: (data: never) => unknown };

/** Something that a response asked for before `at` does not contain. */
type Arrival = Arrived & { readonly at: number };

/** When a query last became outdated. */
interface Outdated {
  readonly at: number;
  /** When that last called for a read at once. */
  readonly loudAt: number;
}

interface Options {
  readonly read: (resource: Resource, id: string) => Promise<Copy>;
  /** Calls back after a pause. */
  readonly later: (call: () => void) => void;
}

/** Reads of single records at the same time. A browser opens six connections, one of which is the event stream. */
const MAX_READS = 4;
/** Responses that are older than the last so many arrivals are read again. */
const MAX_ARRIVALS = 5000;

/**
 * The only way for records into the query cache, so that every eTag stays with the values that it was read with:
 * - an event is applied only to the version that it follows; otherwise the record is read again;
 * - no record goes back to an earlier version: everything that arrived after a response was asked for is applied to the response;
 * - a query that becomes outdated while it is being read is read again afterwards.
 *
 * Moments are numbers that only increase.
 */
export class RecordCache {
  private now = 0;
  private arrivals: Arrival[] = [];
  /** Arrivals up to this moment are forgotten. */
  private forgotten = 0;
  private readonly fetches = new Map<Query, Fetch>();
  /** When the calls under way began, apart from those of queries. */
  private readonly calls = new Set<number>();
  /** When events were last missed. */
  private missedAt = 0;
  private readonly outdated = new Map<Query, Outdated>();
  /** The data of each query as this cache left it. */
  private readonly admitted = new WeakMap<Query, unknown>();
  private readonly wanted = new Map<string, Resource>();
  private readonly reading = new Set<string>();

  constructor(
    private readonly queryClient: QueryClient,
    private readonly options: Options,
  ) {
    queryClient.getQueryCache().subscribe((event) => this.observe(event));
  }

  /** Applies events to all copies. */
  follow(events: readonly Event[]): void {
    const news = new Map<string, News[]>();
    for (const event of events) {
      if (!isNews(event)) continue;
      const { resourceID: id } = event.data;
      const own = news.get(id);
      if (own === undefined) news.set(id, [{ event }]);
      else own.push({ event });
    }
    this.forget();
    this.arrive(...[...news].flatMap(([id, own]) => own.map((each) => ({ id, news: each }))));
    this.changeAll(this.applying(news));
  }

  /** Replaces older versions by those that were written or read. They contain no expanded records. */
  put(versions: readonly Copy[]): void {
    const news = new Map(versions.map((version) => [version.id, [...this.newsOf(version.id), { version }]]));
    this.arrive(...versions.map((version) => ({ id: version.id, news: { version } })));
    this.changeAll(this.applying(news));
  }

  /** Changes what the queries with such a key contain, also in responses that were asked for earlier. A second call must change nothing. */
  change<D>(key: Key, change: (data: D) => D): void {
    this.arrive({ key, change });
    for (const query of this.queriesWith(key)) {
      if (query.state.data !== undefined) this.admit(query, change(query.state.data as D));
    }
  }

  /** Remembers what arrives while a call is under way, for the response to be put. */
  async during<R>(call: () => Promise<R>): Promise<R> {
    const at = (this.now += 1);
    this.calls.add(at);
    try {
      return await call();
    } finally {
      this.calls.delete(at);
      // The change may be followed by others, whose events were missed.
      if (at < this.missedAt) this.options.later(() => this.outdate(() => true));
    }
  }

  /** Reads everything again, because events were missed, or the database was restored from a backup and has only earlier versions. */
  beginAnew(): void {
    this.forget();
    this.missedAt = this.now += 1;
    this.outdate(() => true);
  }

  /**
   * Reads queries again: those on the screen at once, or after the read that is under way; others when they are shown. With `isQuiet`, also
   * those on the screen wait until they are shown again.
   */
  outdate(matches: (query: Query) => boolean, { isQuiet = false } = {}): void {
    for (const query of this.queryClient.getQueryCache().getAll()) {
      if (!matches(query)) continue;
      const at = (this.now += 1);
      this.outdated.set(query, { at, loudAt: isQuiet ? (this.outdated.get(query)?.loudAt ?? 0) : at });
      query.invalidate();
      if (!isQuiet) this.renew(query);
    }
  }

  outdateKey(key: Key, options?: { readonly isQuiet: boolean }): void {
    this.outdate(({ queryKey }) => partialMatchKey(queryKey, key), options);
  }

  private renew(query: Query): void {
    if (query.state.fetchStatus !== 'idle') return;
    const predicate = (each: Query) => each === query;
    void this.queryClient.refetchQueries({ predicate, type: 'active' }, { cancelRefetch: false });
  }

  private observe(event: QueryCacheNotifyEvent): void {
    const query = event.query as Query;
    if (event.type === 'removed') {
      this.fetches.delete(query);
      this.outdated.delete(query);
    }
    if (event.type !== 'updated') return;
    const { action } = event;
    if (action.type === 'fetch') {
      this.fetches.set(query, { at: (this.now += 1), isNextPage: action.meta?.fetchMore !== undefined });
    } else if (action.type === 'success') this.onData(query, action.manual === true);
    else if (action.type === 'setState') this.onState(query);
    else if (action.type === 'error') this.onError(query);
  }

  private onData(query: Query, isManual: boolean): void {
    const fetch = isManual ? undefined : this.fetches.get(query);
    if (fetch !== undefined) this.fetches.delete(query);
    if (holdsRecords(query.queryKey)) {
      this.admit(query, fetch === undefined ? query.state.data : this.unfinished(query, query.state.data, fetch));
    }
    if (fetch !== undefined && fetch.at < this.forgotten) this.outdated.set(query, { at: this.now, loudAt: this.now });
    const outdated = this.outdated.get(query);
    if (outdated === undefined) return;
    const readAt = fetch === undefined || fetch.isNextPage ? 0 : fetch.at;
    if (outdated.at < readAt) {
      this.outdated.delete(query);
      return;
    }
    query.invalidate();
    if (outdated.loudAt > readAt) queueMicrotask(() => this.renew(query));
  }

  /** A record that was not found may have been restored while it was being read. */
  private onError(query: Query): void {
    const fetch = this.fetches.get(query);
    this.fetches.delete(query);
    const outdated = this.outdated.get(query);
    if (fetch !== undefined && outdated !== undefined && outdated.loudAt > fetch.at) {
      queueMicrotask(() => this.renew(query));
    }
  }

  /** A read that was given up puts its query back to where it began. */
  private onState(query: Query): void {
    if (query.state.fetchStatus === 'idle') this.fetches.delete(query);
    const admitted = this.admitted.get(query);
    if (admitted !== undefined && query.state.data !== admitted) query.setState({ data: admitted });
    if (this.outdated.has(query)) query.invalidate();
  }

  /** A response with the changes that were made after it was asked for. */
  private unfinished(query: Query, data: unknown, { at }: Fetch): unknown {
    let next = data;
    for (const arrival of this.arrivals) {
      if ('key' in arrival && arrival.at > at && partialMatchKey(query.queryKey, arrival.key)) {
        next = arrival.change(next as never);
      }
    }
    return next;
  }

  /** Stores data with the newest known version of each record. */
  private admit(query: Query, data: unknown): void {
    const news = new Map<string, News[]>();
    for (const arrival of this.arrivals) {
      if ('id' in arrival) news.set(arrival.id, [...(news.get(arrival.id) ?? []), arrival.news]);
    }
    const list = 'pages' in (data as object) ? withoutRepetitions(data as Pages) : data;
    this.store(query, changedRecords(query.queryKey, list, this.applying(news)));
  }

  private changeAll(change: Change): void {
    for (const query of this.queryClient.getQueryCache().getAll()) {
      const { data } = query.state;
      if (data !== undefined && holdsRecords(query.queryKey)) {
        this.store(query, changedRecords(query.queryKey, data, change));
      }
    }
  }

  private store(query: Query, data: unknown): void {
    this.admitted.set(query, data);
    // Unlike `setQueryData`, this keeps the error of the query and whether it is outdated.
    if (query.state.data !== data) query.setState({ data });
  }

  /** Applies the news of each record. Agents and services that were deleted are removed. */
  private applying(news: ReadonlyMap<string, readonly News[]>): Change {
    return (resource, old) => {
      const own = news.get(old.id);
      if (own === undefined) return old;
      const { copy, isBehind } = withNews(old, own);
      if (isBehind) this.want(resource, old.id);
      return copy.isDeleted === true && (resource === 'agent' || resource === 'service') ? undefined : copy;
    };
  }

  private newsOf(id: string): News[] {
    return this.arrivals.flatMap((arrival) => ('id' in arrival && arrival.id === id ? [arrival.news] : []));
  }

  private newestTime(id: string): string {
    return this.newsOf(id).reduce((newest, news) => (timeOf(news) > newest ? timeOf(news) : newest), '');
  }

  private arrive(...arrived: Arrived[]): void {
    const at = (this.now += 1);
    for (const each of arrived) this.arrivals.push({ ...each, at });
  }

  /** Forgets arrivals that no response under way can lack. */
  private forget(): void {
    const oldest = Math.min(...[...this.fetches.values()].map(({ at }) => at), ...this.calls);
    const kept = this.arrivals.filter(({ at }) => at > oldest);
    this.arrivals = kept.slice(-MAX_ARRIVALS);
    this.forgotten = kept.at(-MAX_ARRIVALS - 1)?.at ?? this.forgotten;
  }

  private queriesWith(key: Key): Query[] {
    return this.queryClient
      .getQueryCache()
      .getAll()
      .filter(({ queryKey }) => partialMatchKey(queryKey, key));
  }

  /** Whether a record was restored after a read of it began. */
  private isRestored(id: string, readAt: number): boolean {
    return this.arrivals.some(
      (arrival) => arrival.at > readAt && 'id' in arrival && arrival.id === id && isRestoration(arrival.news),
    );
  }

  private want(resource: Resource, id: string): void {
    if (this.reading.has(id)) return;
    this.wanted.set(id, resource);
    // Not while the copies are being changed.
    queueMicrotask(() => this.readWanted());
  }

  private readWanted(): void {
    for (const [id, resource] of this.wanted) {
      if (this.reading.size >= MAX_READS) return;
      this.wanted.delete(id);
      void this.read(resource, id);
    }
  }

  private async read(resource: Resource, id: string): Promise<void> {
    this.reading.add(id);
    const { now } = this;
    const known = this.newestTime(id);
    try {
      const version = await this.during(() => this.options.read(resource, id));
      this.reading.delete(id);
      this.put([version]);
      if (now < this.forgotten) this.want(resource, id);
      // The database was restored from a backup, or something else than the service responded: at once, the response would be the same.
      if (version.updatedAt < known && this.wanted.delete(id)) this.options.later(() => this.want(resource, id));
    } catch (error) {
      this.reading.delete(id);
      // An event for its deletion follows.
      const isOver = isProblem(error, 'NOT_FOUND') || isProblem(error, 'FORBIDDEN');
      if (!isOver) this.options.later(() => this.want(resource, id));
      else if (this.isRestored(id, now)) this.want(resource, id);
    }
    this.readWanted();
  }
}
