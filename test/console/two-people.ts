import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/query-core';
import { isProblem } from '@waybill/client';
import { RecordCache } from '../../console/src/live/record-cache.js';
import { changedRecords, type Copy } from '../../console/src/model/held-records.js';
import { onTop, withoutRow, type Row, type Rows } from '../../console/src/model/rows.js';
import { FakeService, type Stored } from './fake-service.js';

type Random = () => number;

/** Numbers from 0 to 1 that follow from a seed. */
function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A request on its way: the service may act long after it was sent, and its response may arrive long after that. */
interface Call {
  readonly act: () => unknown;
  readonly isWrite: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  outcome?: { readonly value: unknown } | { readonly error: Error };
  isOver?: boolean;
}

interface Observer {
  subscribe(listener: () => void): () => void;
}

const STATUSES = ['SUBMITTED', 'APPROVED', 'IN_TRANSIT'];
const PAGE = 2;
const columnKey = (status: string | undefined) => ['shipments', { status }];
const nothing = () => undefined;

/** Ann looks at lists, columns, a shipment and a move in the console while Ben changes them. Everything may be slow, late or lost. */
export class TwoPeople {
  readonly service: FakeService;
  readonly faults: string[] = [];
  private readonly random: Random;
  private readonly queryClient = new QueryClient({
    defaultOptions: { queries: { staleTime: Infinity, retry: false, networkMode: 'always' } },
  });
  private readonly cache: RecordCache;
  private calls: Call[] = [];
  private pauses: (() => void)[] = [];
  private delivered: number;
  private readonly lists: InfiniteQueryObserver[] = [];
  private readonly open = new Map<Observer, () => void>();
  private readonly observers: Observer[] = [];
  /** The newest version that each query has shown of each record. */
  private readonly shown = new Map<string, string>();
  /** Cards that Ann moved and nobody has changed since: they have left this column. */
  private readonly moved = new Map<string, string>();
  private readonly forms: Stored[] = [];
  /** What Ann deleted, the latest first. */
  private readonly deleted: string[] = [];

  constructor(seed: number) {
    this.random = randomFrom(seed);
    this.service = new FakeService(this.random);
    this.delivered = this.service.events.length;
    this.cache = new RecordCache(this.queryClient, {
      read: (_, id) => this.ask(() => this.service.read(id)),
      later: (call) => this.pauses.push(call),
    });
    for (const status of [undefined, ...STATUSES]) this.addList(status);
    this.addRecord(['shipment', 's1'], () => this.service.expanded('s1'));
    this.addRecord(['move', 'm1'], () => this.service.move());
    for (const observer of this.observers) this.toggle(observer);
  }

  async run(steps: number): Promise<void> {
    for (let step = 0; step < steps && this.faults.length === 0; step += 1) {
      this.pick(this.actions)?.();
      await this.settle();
    }
    for (let round = 0; round < 200 && this.faults.length === 0; round += 1) {
      this.deliverEvents(Infinity);
      for (const pause of this.pauses.splice(0)) pause();
      for (const call of this.calls.splice(0)) this.deliver(call, false);
      await this.settle();
      const isOver = this.calls.length + this.pauses.length === 0 && this.delivered === this.service.events.length;
      if (isOver && !this.readFailed()) break;
    }
    if (this.faults.length === 0) this.compare();
    for (const close of this.open.values()) close();
    this.queryClient.clear();
  }

  private readonly actions: (() => void)[] = [
    ...Array.from({ length: 4 }, () => () => this.service.change(this.pick(this.service.ids()))),
    ...Array.from({ length: 3 }, () => () => this.service.change('s1')),
    () => this.service.createOrDelete(),
    () => this.service.deleteOrRestore('Ben'),
    () => this.deleteOrUndo(),
    () => this.service.changePart(),
    ...Array.from({ length: 4 }, () => () => this.actOn(this.calls)),
    ...Array.from({ length: 4 }, () => () => this.actAndDeliver(this.calls)),
    ...Array.from({ length: 3 }, () => () => this.deliverEvents(1 + Math.floor(this.random() * 4))),
    () => void this.pick(this.lists)?.fetchNextPage(),
    () => void this.pick(this.lists)?.fetchNextPage(),
    () => void this.pick(this.lists)?.refetch(),
    () => this.toggle(this.pick(this.observers)),
    () => this.openForm(),
    () => this.save(),
    () => this.save(),
    () => this.drag(),
    () => this.drag(),
    () => this.changeParts(),
    () => this.pauses.shift()?.(),
    () => this.random() < 0.2 && this.restart(),
  ];

  private addList(status: string | undefined): void {
    const list = new InfiniteQueryObserver(this.queryClient, {
      queryKey: ['shipments', { status }],
      initialPageParam: undefined as string | undefined,
      queryFn: ({ pageParam, signal }) => this.ask(() => this.service.page(status, pageParam, PAGE), signal),
      getNextPageParam: ({ next }) => next,
    }) as unknown as InfiniteQueryObserver;
    this.lists.push(list);
    this.observers.push(list);
  }

  private addRecord(queryKey: string[], read: () => unknown): void {
    this.observers.push(
      new QueryObserver(this.queryClient, { queryKey, queryFn: ({ signal }) => this.ask(read, signal) }),
    );
  }

  /** Opens a view, or leaves it. */
  private toggle(observer: Observer | undefined): void {
    if (observer === undefined) return;
    const close = this.open.get(observer);
    close?.();
    if (close === undefined) this.open.set(observer, observer.subscribe(nothing));
    else this.open.delete(observer);
  }

  private ask<R>(act: () => R, signal?: AbortSignal, isWrite = false): Promise<R> {
    return new Promise((resolve, reject) => {
      const call: Call = { act, isWrite, resolve: resolve as Call['resolve'], reject };
      this.calls.push(call);
      signal?.addEventListener('abort', () => reject(new Error('Aborted')));
    });
  }

  private actOn(calls: readonly Call[]): Call | undefined {
    const call = this.pick(calls);
    if (call === undefined || call.outcome !== undefined) return call;
    try {
      call.outcome = { value: call.act() };
    } catch (error) {
      call.outcome = { error: error as Error };
    }
    return call;
  }

  private actAndDeliver(calls: readonly Call[]): void {
    const call = this.actOn(calls);
    if (call !== undefined) this.deliver(call, this.random() < 0.1);
  }

  private deliver(call: Call, isLost: boolean): void {
    this.actOn([call]);
    this.calls = this.calls.filter((each) => each !== call);
    if (isLost && !call.isWrite) call.reject(new Error('Connection lost'));
    else if (call.outcome !== undefined && 'value' in call.outcome) call.resolve(call.outcome.value);
    else if (call.outcome !== undefined) call.reject(call.outcome.error);
  }

  private deliverEvents(count: number): void {
    const events = this.service.events.slice(this.delivered, this.delivered + count);
    this.delivered += events.length;
    if (events.length > 0) this.follow(events);
  }

  private follow(events: FakeService['events']): void {
    this.cache.follow(events);
    for (const { type, data } of events) {
      const { resource, resourceID } = data;
      if (data.changedBy !== 'Ann') this.moved.delete(resourceID);
      if (type.endsWith('.updated')) continue;
      this.cache.outdateKey(resource === 'shipment' ? ['move', 'm1'] : ['shipment', String(data.shipmentID)]);
      if (resource === 'shipment') this.cache.outdateKey(['shipment', resourceID]);
    }
  }

  /** The stream cannot be resumed. Events in between are lost. */
  private restart(): void {
    this.delivered = this.service.events.length;
    this.moved.clear();
    this.cache.beginAnew();
  }

  private copies(): [key: string, Stored][] {
    const found: [string, Stored][] = [];
    for (const { queryKey, queryHash, state } of this.queryClient.getQueryCache().getAll()) {
      if (state.data === undefined) continue;
      changedRecords(queryKey, state.data, (_, copy) => {
        found.push([queryHash, copy as Stored]);
        return copy;
      });
    }
    return found;
  }

  private openForm(): void {
    const [, seen] = this.pick(this.copies()) ?? [];
    if (seen !== undefined && seen.isDeleted !== true) this.forms.push(seen);
  }

  /** Ann saves what she typed over what she saw. */
  private save(): void {
    const seen = this.pick(this.forms) ?? this.pick(this.copies())?.[1];
    if (seen === undefined || seen.isDeleted === true) return;
    void this.write(seen, this.service.patchFor(seen)).then((written) => this.cache.put([written]), nothing);
  }

  private write(seen: Stored, patch: object): Promise<Stored> {
    this.checkVersion('A request', seen);
    const send = () => this.service.write(seen.id, seen.eTag, patch, 'Ann');
    return this.cache.during(() => this.ask(send, undefined, true));
  }

  /** Ann drags a card to another column. */
  private drag(): void {
    const from = this.pick(STATUSES);
    const rows = this.queryClient.getQueryData<Rows>(columnKey(from))?.pages.flatMap(({ items }) => items) ?? [];
    const card = this.pick(rows.filter(({ status, isDeleted }) => status === from && isDeleted !== true));
    const to = this.pick(STATUSES);
    if (card === undefined || from === to) return;
    const moved = (stored: Stored) => {
      const written = stored as unknown as Row;
      this.cache.put([written]);
      this.cache.change<Rows>(columnKey(from), (column) => withoutRow(column, card.id));
      this.cache.change<Rows>(columnKey(to), (column) => onTop(column, { ...card, ...written }));
      this.moved.delete(card.id);
      if (this.service.find(card.id)?.eTag === written.eTag) this.moved.set(card.id, card.status);
    };
    void this.write(card as unknown as Stored, { status: to }).then(moved, nothing);
  }

  /** Ann deletes a shipment, or brings back what she deleted. */
  private deleteOrUndo(): void {
    const [last] = this.deleted;
    if (last !== undefined && this.random() < 0.6) {
      this.deleted.shift();
      void this.cache
        .during(() => this.ask(() => this.service.restore(last, 'Ann'), undefined, true))
        .then((restored) => {
          this.cache.put([restored]);
          this.cache.outdate(() => true);
        }, nothing);
      return;
    }
    const seen = this.pick(this.copies())?.[1];
    if (seen?.resource !== 'shipment' || seen.isDeleted === true) return;
    void this.ask(() => this.service.remove(seen.id, seen.eTag, 'Ann'), undefined, true).then(() => {
      this.deleted.unshift(seen.id);
      this.cache.change<Rows>(['shipments'], (rows) => withoutRow(rows, seen.id));
    }, nothing);
  }

  /** Ann adds a service, or removes one. */
  private changeParts(): void {
    type Holder = Copy & { readonly services: readonly Copy[] };
    const change = (parts: (services: readonly Copy[]) => readonly Copy[]) =>
      this.cache.change<Holder>(['shipment', 's1'], (old) => ({ ...old, services: parts(old.services) }));
    const services = this.queryClient.getQueryData<Holder>(['shipment', 's1'])?.services ?? [];
    const removed = this.random() < 0.5 ? (this.pick(services) as Stored | undefined) : undefined;
    if (removed !== undefined) {
      const send = () => this.service.remove(removed.id, removed.eTag, 'Ann');
      void this.ask(send, undefined, true).then(
        () => change((parts) => parts.filter(({ id }) => id !== removed.id)),
        nothing,
      );
      return;
    }
    void this.cache
      .during(() => this.ask(() => this.service.addPart('Ann'), undefined, true))
      .then((written) => {
        this.cache.put([written]);
        change((parts) => (parts.some(({ id }) => id === written.id) ? parts : [...parts, written]));
      }, nothing);
  }

  private pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.random() * from.length)];
  }

  private async settle(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const listed = new Set<string>();
    for (const [query, copy] of this.copies()) {
      const key = `${query} ${copy.id}`;
      if (query.includes('"shipments"') && listed.has(key)) this.faults.push(`${copy.id} is listed twice in ${query}`);
      listed.add(key);
      this.checkVersion(query, copy);
      if (copy.updatedAt < (this.shown.get(key) ?? '')) this.faults.push(`${copy.id} went back in ${query}`);
      this.shown.set(key, copy.updatedAt);
      const column = this.moved.get(copy.id);
      if (column !== undefined && query === JSON.stringify(columnKey(column))) {
        this.faults.push(`${copy.id} is back in ${query}`);
      }
    }
  }

  private checkVersion(where: string, copy: Stored): void {
    const fault = this.service.difference(copy);
    if (fault !== undefined) this.faults.push(`${where} has an eTag of other values: ${fault}`);
  }

  /** Ann reads again what could not be read. */
  private readFailed(): boolean {
    const failed = this.queryClient
      .getQueryCache()
      .findAll({ type: 'active', predicate: ({ state }) => state.status === 'error' });
    const lost = failed.filter(({ state }) => !isProblem(state.error, 'NOT_FOUND'));
    for (const query of lost) void query.fetch().catch(nothing);
    return lost.length > 0;
  }

  /** When everything has arrived, the screen shows what is stored. */
  private compare(): void {
    const active = this.queryClient.getQueryCache().findAll({ type: 'active' });
    // The view of a record that was not found says so.
    const isFound = ({ state }: (typeof active)[number]) => !isProblem(state.error, 'NOT_FOUND');
    const hashes = new Set(active.filter(isFound).map(({ queryHash }) => queryHash));
    for (const [query, copy] of this.copies()) {
      if (!hashes.has(query) || copy.id === 'm1') continue;
      const stored = this.service.find(copy.id);
      if (stored === undefined ? copy.isDeleted !== true : copy.eTag !== stored.eTag || copy.isDeleted === true) {
        this.faults.push(`${copy.id} in ${query} stays at ${copy.updatedAt}, but is stored as of ${stored?.updatedAt}`);
      }
    }
    for (const { queryKey, state } of active) {
      if (isProblem(state.error, 'NOT_FOUND') && queryKey[1] === 's1' && this.service.find('s1') !== undefined) {
        this.faults.push('shipment s1 is not shown, but was restored');
      }
      if (queryKey[0] === 'shipments' || state.data === undefined || state.status === 'error') continue;
      const isMove = queryKey[0] === 'move';
      if (!isMove && this.service.find('s1') === undefined) {
        this.faults.push('shipment s1 is shown, but was deleted');
        continue;
      }
      const now = isMove ? this.service.move() : this.service.expanded('s1');
      const field = isMove ? 'shipments' : 'services';
      const ids = (data: unknown) =>
        ((data as Record<string, Copy[]>)[field] ?? [])
          .map(({ id }) => id)
          .sort()
          .join();
      if (ids(now) !== ids(state.data)) {
        this.faults.push(`${queryKey.join(' ')} has ${ids(state.data)}, not ${ids(now)}`);
      }
    }
  }
}
