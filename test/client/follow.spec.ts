import { EventsGoneError, WaybillClient, type Event } from '../../client/src/waybill.js';
import { allNumbered } from '../support/records/events.js';
import { eventually } from '../support/races/eventually.js';
import { createMove, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';
import { TcpProxy } from '../support/http/tcp-proxy.js';

const service = useService({ POOL_SIZE: '3' });

// A client that begins with the newest event must not get those of an earlier test.
beforeEach(() => allNumbered(service.sql));
let client: WaybillClient;
let proxy: TcpProxy;

beforeAll(async () => {
  client = new WaybillClient({ baseUrl: service.url });
  proxy = await TcpProxy.start(service.port);
});
afterAll(() => proxy.stop());

/** The next events of a reader. */
async function take(events: AsyncGenerator<Event>, count: number): Promise<Event[]> {
  const taken: Event[] = [];
  while (taken.length < count) {
    const { value, done } = await events.next();
    if (done === true) throw new Error('The events ended');
    taken.push(value);
  }
  return taken;
}

const numbersOf = (events: readonly Event[]) => events.map(({ sequence }) => Number(sequence));
const subjectsOf = (events: readonly Event[]) => events.map(({ subject }) => subject);

async function createMoves(count: number): Promise<string[]> {
  const subjects: string[] = [];
  for (let index = 0; index < count; index += 1) subjects.push(`moves/${(await createMove(service.api)).id}`);
  return subjects;
}

describe('events.list', () => {
  it('goes from a cursor to the newest event, however many a page has, and ends', async () => {
    const after = await client.events.head();
    const subjects = await createMoves(5);
    await eventually(async () => (await client.events.list({ after }).page()).items.length === 5, 30_000);
    for (const limit of [1, 2, 5, 100]) {
      const events: Event[] = [];
      for await (const event of client.events.list({ after, limit })) events.push(event);
      expect(subjectsOf(events)).toEqual(subjects);
    }
  });

  it('returns single pages, each with the next cursor, even when empty', async () => {
    const after = await client.events.head();
    const empty = await client.events.list({ after }).page();
    expect(empty).toEqual({ items: [], next: after });
    const [subject] = await createMoves(1);
    const { items, next } = await client.events.list({ after: empty.next, wait: 30 }).page();
    expect(subjectsOf(items)).toEqual([subject]);
    expect(next).toBe(items[0]?.id);
  });

  it('takes filters', async () => {
    const after = await client.events.head();
    const shipment = await createShipment(service.api);
    await service.api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, { actualWeight: 1 });
    const list = client.events.list({ after, type: ['shipment.updated', 'move.updated'], wait: 30 });
    expect(subjectsOf((await list.page()).items)).toEqual([`shipments/${shipment.id}`]);
  });
});

describe('events.follow', () => {
  it('gives out what happens after a cursor, as it happens, with contiguous numbers', async () => {
    const after = await client.events.head();
    const events = client.events.follow({ after });
    const first = await createMoves(2);
    const seen = await take(events, 2);
    const then = await createMoves(2);
    seen.push(...(await take(events, 2)));
    await events.return();
    expect(subjectsOf(seen)).toEqual([...first, ...then]);
    expect(numbersOf(seen)).toEqual(seen.map((_, index) => (numbersOf(seen)[0] ?? NaN) + index));
    expect(seen[0]).toMatchObject({ specversion: '1.0', type: 'move.created', data: { changedBy: 'anonymous' } });
  });

  it('starts with the oldest event without a cursor, and resumes after any event by its id', async () => {
    await createMoves(3);
    const [first, second] = await take(client.events.follow(), 2);
    expect(numbersOf(first && second ? [first, second] : [])).toEqual([1, 2]);
    const [again] = await take(client.events.follow({ after: first?.id }), 1);
    expect(again).toEqual(second);
  });

  it('begins from here on with now, also when the connection is lost before anything happens', async () => {
    await createMoves(1);
    await allNumbered(service.sql);
    const asked: string[] = [];
    const noting = (url: string, init: RequestInit) => {
      asked.push(url);
      return fetch(url, init);
    };
    const lossy = new WaybillClient({ baseUrl: `http://127.0.0.1:${proxy.port}`, fetch: noting });
    const events = lossy.events.follow({ after: 'now' });
    const next = take(events, 1);
    await eventually(() => asked.length === 2, 30_000, 'the request after that for the head');
    proxy.cut();
    const [subject] = await createMoves(1);
    proxy.mend();
    proxy.reset();
    expect(subjectsOf(await next)).toEqual([subject]);
    await events.return();
  });

  it('takes filters, and then numbers may be missing', async () => {
    const after = await client.events.head();
    const events = client.events.follow({ after, resource: ['shipment'] });
    const one = await createShipment(service.api);
    await createMoves(2);
    const two = await createShipment(service.api);
    expect(subjectsOf(await take(events, 2))).toEqual([`shipments/${one.id}`, `shipments/${two.id}`]);
    await events.return();
  });

  it('misses nothing and gets nothing twice, however often the connection is lost', async () => {
    const lossy = new WaybillClient({ baseUrl: `http://127.0.0.1:${proxy.port}` });
    const events = lossy.events.follow({ after: await client.events.head() });
    const subjects: string[] = [];
    const seen: Event[] = [];
    for (let round = 0; round < 4; round += 1) {
      subjects.push(...(await createMoves(3)));
      seen.push(...(await take(events, 1)));
      proxy.reset();
    }
    seen.push(...(await take(events, subjects.length - seen.length)));
    await events.return();
    expect(subjectsOf(seen)).toEqual(subjects);
  });

  it('is refused with an EventsGoneError that has the oldest cursor', async () => {
    const { items } = await client.events.list({ limit: 1 }).page();
    const foreign = Buffer.from('1.0123456789abcdef').toString('base64url');
    const refused = await take(client.events.follow({ after: foreign }), 1).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(EventsGoneError);
    expect(refused).toMatchObject({ name: 'EventsGoneError', code: 'EVENTS_GONE', status: 410 });
    const { oldest } = refused as EventsGoneError;
    expect(await take(client.events.follow({ after: oldest }), 1)).toEqual(items);
    await expect(client.events.list({ after: foreign }).page()).rejects.toBeInstanceOf(EventsGoneError);
  });

  it('ends with its signal, and with a break, and leaves no request open', async () => {
    const signals: (AbortSignal | null | undefined)[] = [];
    const noting = (url: string, init: RequestInit) => {
      if (!url.includes('after=now')) signals.push(init.signal);
      return fetch(url, init);
    };
    const followed = new WaybillClient({ baseUrl: service.url, fetch: noting });
    const ending = new AbortController();
    const waiting = take(followed.events.follow({ after: 'now', signal: ending.signal }), 1);
    waiting.catch(() => undefined);
    await eventually(() => signals.length > 0, 30_000, 'a request');
    ending.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    for await (const _ of followed.events.follow()) break;
    expect(signals.every((signal) => signal?.aborted)).toBe(true);
  });
});

describe('events of a kind that the service does not know', () => {
  it('do not end an unfiltered reader, which sees every number', async () => {
    const after = await client.events.head();
    await createMoves(1);
    await service.sql.query(
      `INSERT INTO history (root_id, record_kind, record_id, type, changed_by, changed_at)
       SELECT id, 'laterKind', id, 'created', 'somebody', now_ms() FROM (SELECT gen_random_uuid() AS id) AS ids`,
    );
    await createMoves(1);
    const reader = client.events.follow({ after });
    const events = await take(reader, 3);
    await reader.return();
    expect(events.map(({ type }) => type as string)).toEqual(['move.created', 'laterKind.created', 'move.created']);
    const [first = 0] = numbersOf(events);
    expect(numbersOf(events)).toEqual([first, first + 1, first + 2]);
  });
});
