import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/query-core';
import type { Event } from '@waybill/client';
import { problemError, type Problem } from '../../client/src/errors.js';
import { RecordCache } from '../../console/src/live/record-cache.js';
import type { Copy } from '../../console/src/model/held-records.js';
import { repetitions } from '../support/repository/sweeps.js';
import { TwoPeople } from './two-people.js';

const STEPS = 60;

test('every eTag stays with the values that it was read with, whatever arrives when', async () => {
  for (let seed = 1; seed <= repetitions(4000, 40); seed += 1) {
    const people = new TwoPeople(seed);
    await people.run(STEPS);
    expect([seed, people.faults]).toEqual([seed, []]);
  }
});

interface Shipment extends Copy {
  readonly weight: number;
  readonly services?: readonly Copy[];
}

const version = (number: number, id = 'a'): Shipment => ({
  ...{ id, eTag: `${id}${number}`, updatedAt: `2027-01-0${number}`, weight: number },
});
const event = (number: number, data: object = {}, type = 'shipment.updated'): Event =>
  ({
    type,
    time: `2027-01-0${number}`,
    data: {
      ...{ resourceID: 'a', eTag: `a${number}`, previousETag: `a${number - 1}` },
      ...{ changes: [{ field: 'weight', to: number }], ...data },
    },
  }) as unknown as Event;

/** A read that is answered by hand. */
class Reads {
  private waiting: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = [];
  count = 0;

  readonly read = (signal?: AbortSignal): Promise<never> => {
    this.count += 1;
    return new Promise<unknown>((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      signal?.addEventListener('abort', () => reject(new Error('Aborted')));
    }) as Promise<never>;
  };

  async answer(value: unknown): Promise<void> {
    const next = this.waiting.shift();
    if (value instanceof Error) next?.reject(value);
    else next?.resolve(value);
    await settled();
  }
}

const NOT_FOUND = problemError({ status: 404, code: 'NOT_FOUND', detail: '' } as Problem);
const settled = () => new Promise((resolve) => setImmediate(resolve));
const KEY = ['shipment', 'a'];

describe('the cache of records', () => {
  let queryClient: QueryClient;
  let cache: RecordCache;
  let reads: Reads;
  let rereads: Reads;
  let leave: () => void;
  let pauses: (() => void)[];

  const shown = () => queryClient.getQueryData<Shipment>(KEY);
  const state = () => queryClient.getQueryState(KEY);
  const afterPauses = async () => {
    for (const call of pauses.splice(0)) call();
    await settled();
  };
  const open = () => {
    const queryFn = ({ signal }: { signal: AbortSignal }) => reads.read(signal);
    leave = new QueryObserver(queryClient, { queryKey: KEY, queryFn }).subscribe(() => undefined);
  };

  beforeEach(async () => {
    const queries = { staleTime: Infinity, retry: false, networkMode: 'always' } as const;
    queryClient = new QueryClient({ defaultOptions: { queries } });
    reads = new Reads();
    rereads = new Reads();
    pauses = [];
    cache = new RecordCache(queryClient, { read: () => rereads.read(), later: (call) => void pauses.push(call) });
    open();
    await reads.answer(version(1));
  });
  afterEach(() => leave());

  test('reads a record again whose event follows another version, and shows the old version until then', async () => {
    cache.follow([event(3)]);
    await settled();
    expect([shown(), rereads.count]).toEqual([version(1), 1]);
    await rereads.answer(version(3));
    expect(shown()).toEqual(version(3));
  });

  test('applies events to a record that is being read again, and repeats a read that failed', async () => {
    cache.follow([event(3)]);
    await settled();
    await rereads.answer(new Error('Connection lost'));
    await afterPauses();
    cache.follow([event(4)]);
    await rereads.answer(version(3));
    expect([shown(), rereads.count]).toEqual([version(4), 2]);
  });

  test('pauses before it reads a record again whose response was older than its event', async () => {
    cache.follow([event(4)]);
    await settled();
    await rereads.answer(version(2));
    expect([rereads.count, pauses.length]).toEqual([1, 1]);
    await afterPauses();
    await rereads.answer(version(4));
    expect([shown(), rereads.count, pauses.length]).toEqual([version(4), 2, 0]);
  });

  test('applies events to a response that was asked for before them', async () => {
    cache.outdateKey(KEY);
    cache.follow([event(2)]);
    cache.follow([event(3)]);
    await reads.answer(version(1));
    expect(shown()).toEqual(version(3));
  });

  test('keeps the rows of earlier pages when the next page arrives', async () => {
    const list = new InfiniteQueryObserver<{ items: Shipment[]; next: string }>(queryClient, {
      queryKey: ['shipments', {}],
      initialPageParam: undefined as string | undefined,
      queryFn: () => reads.read(),
      getNextPageParam: ({ next }) => next,
    });
    const close = list.subscribe(() => undefined);
    await reads.answer({ items: [version(1)], next: 'a' });
    void list.fetchNextPage();
    cache.follow([event(2)]);
    await reads.answer({ items: [version(1, 'b')], next: 'b' });
    const { pages } = list.getCurrentResult().data as never as { pages: { items: Shipment[] }[] };
    expect(pages.flatMap(({ items }) => items)).toEqual([version(2), version(1, 'b')]);
    close();
  });

  test('does not go back to the response of a write after an event of a later change', async () => {
    const writes = new Reads();
    const written = cache.during(writes.read);
    cache.follow([event(2)]);
    cache.follow([event(3)]);
    await writes.answer(version(2));
    cache.put([await written]);
    cache.change<Shipment>(KEY, () => version(2));
    expect(shown()).toEqual(version(3));
  });

  test('reads once more, without starting again, what becomes outdated while it is being read', async () => {
    cache.outdateKey(KEY);
    cache.outdateKey(KEY);
    cache.outdateKey(KEY);
    expect(reads.count).toBe(2);
    await reads.answer(version(2));
    expect(reads.count).toBe(3);
    await reads.answer(version(3));
    expect([reads.count, shown(), state()?.isInvalidated]).toEqual([3, version(3), false]);
  });

  test('keeps a record on the screen until it is shown again if it became outdated quietly', () => {
    cache.outdateKey(KEY, { isQuiet: true });
    expect(reads.count).toBe(1);
    leave();
    open();
    expect(reads.count).toBe(2);
  });

  test('keeps that a query is outdated, and its error, when a record changes', async () => {
    cache.outdateKey(KEY);
    await reads.answer(new Error('NOT_FOUND'));
    cache.follow([event(2)]);
    expect([shown(), state()?.error?.message, state()?.isInvalidated]).toEqual([version(2), 'NOT_FOUND', true]);
  });

  test('keeps what arrived during a read that was given up, and that it was outdated', async () => {
    void queryClient.refetchQueries({ queryKey: KEY });
    cache.follow([event(2)]);
    cache.outdateKey(KEY);
    leave();
    await settled();
    expect([shown(), state()?.isInvalidated]).toEqual([version(2), true]);
  });

  test('reads again what was written while events were missed', async () => {
    const writes = new Reads();
    const written = cache.during(writes.read);
    cache.beginAnew();
    await reads.answer(version(3));
    void written.then((response) => cache.change(KEY, () => response));
    await writes.answer(version(2));
    await afterPauses();
    await reads.answer(version(3));
    expect(shown()).toEqual(version(3));
  });

  test('goes back with a database that was restored from a backup', async () => {
    cache.put([version(3)]);
    cache.beginAnew();
    await reads.answer(version(2));
    expect(shown()).toEqual(version(2));
  });

  test('reads once more a record that was restored while its response was on the way', async () => {
    cache.follow([event(2, {}, 'shipment.deleted')]);
    cache.outdateKey(KEY);
    cache.outdateKey(KEY);
    await reads.answer(NOT_FOUND);
    expect([state()?.status, reads.count]).toEqual(['error', 3]);
    await reads.answer(version(3));
    expect([state()?.status, shown(), reads.count]).toEqual(['success', version(3), 3]);
  });

  test('brings back a row whose record was restored while it was being read', async () => {
    cache.follow([event(2, { previousETag: 'another' })]);
    await settled();
    cache.follow([event(3, {}, 'shipment.deleted'), event(4, { previousETag: null }, 'shipment.restored')]);
    await rereads.answer(NOT_FOUND);
    expect([shown()?.isDeleted, rereads.count]).toEqual([true, 2]);
    await rereads.answer(version(5));
    expect(shown()).toEqual(version(5));
  });

  test('repeats a change of members for a response that was asked for before it', async () => {
    const services = [version(1, 's')];
    cache.outdateKey(KEY);
    cache.change<Shipment>(KEY, (shipment) => ({ ...shipment, services }));
    await reads.answer(version(1));
    expect(shown()?.services).toEqual(services);
  });
});
