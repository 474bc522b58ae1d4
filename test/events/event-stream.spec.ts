import type { Response } from 'express';
import type { Event } from '../../src/events/event.js';
import type { FeedPage } from '../../src/events/event-log.js';
import { EventStream } from '../../src/events/event-stream.js';
import { Slots } from '../../src/http/slots.js';
import { Lifecycle } from '../../src/operations/lifecycle.js';
import type { Json } from '../support/http/api.js';
import { allNumbered } from '../support/records/events.js';
import { eventually } from '../support/races/eventually.js';
import { insertLongShipments } from '../support/database/large-lists.js';
import { moveClock } from '../support/database/moved-clock.js';
import { RawStream } from '../support/http/raw-stream.js';
import { createAgent, createMove, createShipment } from '../support/records/records.js';
import { startService, useService } from '../support/service/service.js';
import { bearer, signToken, useSecuredService } from '../support/http/tokens.js';

const PATH = '/v1/events/stream';
const service = useService({ POOL_SIZE: '2' });
const open = (query = '', headers = {}) => RawStream.open(service, `${PATH}${query}`, headers).opened();
const LONG_EVENTS = 500;
const idsOf = (events: readonly Json[]) => events.map(({ data }) => data.resourceID);

test('the first bytes come at once, and then each event as it happens', async () => {
  const stream = await open('?after=now');
  expect(stream.status).toBe(200);
  expect(stream.head).toMatch(/^content-type: text\/event-stream; charset=utf-8$/im);
  expect(stream.head).toMatch(/^x-accel-buffering: no$/im);
  expect(stream.body).toMatch(/^retry: [1-5]\d{3}\nid: \S+\n\n$/);
  const move = await createMove(service.api);
  await stream.until(({ events }) => events.length === 1, 'the event');
  const shipment = await createShipment(service.api);
  await stream.until(({ events }) => events.length === 3, 'three events');
  expect(idsOf(stream.events)).toEqual([move.id, shipment.moveID, shipment.id]);
  expect(stream.blocks.slice(1).map(({ id }) => id)).toEqual(stream.events.map(({ id }) => id));
  const { body } = await service.api.get(`/v1/events?after=${stream.blocks[0]?.id}`);
  expect(body).toEqual(stream.events);
  stream.close();
});

test('streams wait different times before they come back', async () => {
  const streams = await Promise.all(Array.from({ length: 5 }, () => open('?after=now')));
  expect(new Set(streams.map(({ body }) => /^retry: (\d+)/.exec(body)?.[1])).size).toBeGreaterThan(1);
  for (const stream of streams) stream.close();
});

test('Last-Event-ID resumes after an event, whatever `after` says, from memory and from the database', async () => {
  const first = await open('?after=now');
  for (let count = 0; count < 5; count += 1) await createMove(service.api);
  await first.until(({ events }) => events.length === 5, 'five events');
  const [, second] = first.events;
  const fromMemory = await open('?after=now', { 'Last-Event-ID': second.id });
  await fromMemory.until(({ events }) => events.length === 3, 'the events that were missed');
  first.close();
  fromMemory.close();
  const fromDatabase = await open();
  await fromDatabase.until(({ events }) => events.at(-1)?.id === first.lastID, 'all events');
  expect(fromDatabase.events[0].sequence).toBe('1'.padStart(19, '0'));
  expect(fromDatabase.events.slice(-3)).toEqual(fromMemory.events);
  fromDatabase.close();
});

test('a stream shows what its filter asks for', async () => {
  const shipment = await createShipment(service.api);
  await allNumbered(service.sql);
  const stream = await open(`?after=now&resourceID=${shipment.id}`);
  await createMove(service.api);
  const agent = await createAgent(service.api, {}, shipment);
  await stream.until(({ events }) => events.length === 1, 'the event');
  expect(idsOf(stream.events)).toEqual([agent.id]);
  stream.close();
});

test('a stream that sees nothing for 15 seconds gets a comment, or a bookmark when its filter hid events', async () => {
  const [silent, hiding] = [await open('?after=now'), await open('?after=now&resource=service')];
  const { id } = await createMove(service.api);
  await silent.until(({ events }) => idsOf(events).includes(id), 'the event');
  expect([silent.comments, hiding.blocks.length]).toEqual([[], 1]);
  moveClock(15_000);
  await hiding.until(({ blocks }) => blocks.length === 2, 'a bookmark');
  await silent.until(({ comments }) => comments.length > 0, 'a comment');
  expect([hiding.events, hiding.lastID]).toEqual([[], silent.lastID]);
  silent.close();
  hiding.close();
});

test('410, 400 and 406 before the stream begins', async () => {
  const { api } = service;
  const foreign = Buffer.from(`1.${'0'.repeat(16)}`).toString('base64url');
  expect((await api.get(PATH, { 'Last-Event-ID': foreign })).body.code).toBe('EVENTS_GONE');
  expect((await api.get(`${PATH}?after=${foreign}`)).body.oldest).toEqual(expect.any(String));
  expect((await api.get(PATH, { 'Last-Event-ID': 'nonsense' })).body.code).toBe('INVALID_HEADER');
  expect((await api.get(`${PATH}?wait=1`)).body.code).toBe('INVALID_PARAMETER');
  expect((await api.get(PATH, { Accept: 'application/json' })).body.code).toBe('NOT_ACCEPTABLE');
  const head = await fetch(service.url + PATH, { method: 'HEAD' });
  expect([head.status, head.headers.get('Content-Type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
});

test('draining ends streams and waits at once, and refuses new streams', async () => {
  const other = await startService();
  const stream = await RawStream.open(other, `${PATH}?after=now`).opened();
  const waiting = other.api.get('/v1/events?after=now&wait=30');
  const began = performance.now();
  other.app.get(Lifecycle).beginDraining();
  await stream.until(({ isComplete }) => isComplete, 'the end of the stream');
  expect(stream.comments).toEqual([': the service is stopping']);
  expect((await waiting).status).toBe(200);
  expect(performance.now() - began).toBeLessThan(20_000);
  const refused = await other.api.get(`${PATH}?after=now`);
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '1']);
  stream.close();
  await other.stop();
});

test('503 for a stream that is not open yet when draining begins', async () => {
  const other = await startService();
  // With a cursor, the first read is that of the newest events, after the stream was added to those that draining ends.
  const { headers } = await other.api.get('/v1/events?after=now');
  const [, cursor = ''] = /after=([^&>]+)/.exec(headers.get('Link') ?? '') ?? [];
  const holder = await other.connect();
  await holder.query('BEGIN; LOCK TABLE events IN ACCESS EXCLUSIVE MODE');
  const stream = RawStream.open(other, `${PATH}?after=${cursor}`);
  await eventually(() => other.app.get(Slots).of('streams').inUse === 1, 20_000, 'the stream has its slot');
  other.app.get(Lifecycle).beginDraining();
  await holder.query('ROLLBACK');
  await stream.opened();
  expect([stream.status, JSON.parse(stream.body).code]).toEqual([503, 'UNAVAILABLE']);
  stream.close();
  await holder.end();
  await other.stop();
});

describe('with tokens', () => {
  const { service: other, key, as } = useSecuredService({ JWT_LEEWAY_SECONDS: '0' });

  test('a stream shows what its scopes let it see, and ends with its token', async () => {
    const token = async (scope: string, claims: object = {}) => bearer(await signToken(key, { scope, ...claims }));
    const writer = await as({ scope: 'moves:write moves:read shipments:write shipments:read' });
    const openWith = async (headers: Record<string, string>) =>
      RawStream.open(other, `${PATH}?after=now`, headers).opened();
    const moves = await openWith(await token('moves:read', { expires: 600 }));
    const shipments = await openWith(await token('shipments:read', { expires: 7200 }));
    const shipment = await createShipment(writer);
    await shipments.until(({ events }) => events.length === 1, 'the event of the shipment');
    await moves.until(({ events }) => events.length === 1, 'the event of the move');
    expect([idsOf(moves.events), idsOf(shipments.events)]).toEqual([[shipment.moveID], [shipment.id]]);
    const { body } = await other.api.get('/v1/events', await token('moves:read'));
    expect(idsOf(body)).toEqual([shipment.moveID]);
    const inAnHour = Date.now() + 3_600_000;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(inAnHour);
    await moves.until(({ isComplete }) => isComplete, 'the end of the stream');
    clock.mockRestore();
    expect(moves.comments).toEqual([': the token has expired']);
    expect(shipments.isComplete).toBe(false);
    shipments.close();
  });
});

test('a client that does not read is cut off after 10 seconds, and nobody else notices', async () => {
  await insertLongShipments(service.sql, LONG_EVENTS);
  const stalled = await open(`?after=now`);
  stalled.socket.pause();
  const reading = await open(`?after=now`);
  // More than the buffers of both sockets hold: with the old and the new value, an event has 15 kB.
  const lengthen = (text: string) =>
    `UPDATE shipments SET customer_remarks = repeat('${text}', 1900) WHERE shipment_type = 'OLD'`;
  await service.sql.query(`SET waybill.author = 'r filler'; ${lengthen('🚚')}; ${lengthen('🚛')}`);
  await reading.until(({ count }) => count === 2 * LONG_EVENTS, 'all events', 60_000);
  const metrics = async () => (await fetch(`${service.url}/metrics`)).text();
  const isCutOff = async () => (await metrics()).includes('waybill_event_streams_cut_off_total 1');
  moveClock(10_000);
  await eventually(isCutOff, 40_000, 'the stalled stream is cut off');
  expect(await metrics()).toMatch(/^waybill_slots_in_use\{kind="streams"\} 1$/m);
  const { rows } = await service.sql.query<{ head: string }>('SELECT max(number) AS head FROM events');
  expect(await metrics()).toContain(`waybill_events_head ${rows[0]?.head}\n`);
  reading.close();
  stalled.close();
}, 120_000);

/** A stream whose client reads only if it is said to, and what was written to it. */
function unsentStream(read: () => Promise<FeedPage>, clientReads = true) {
  const written: string[] = [];
  const response = {
    writeHead: () => undefined,
    write: (chunk: unknown) => written.push(String(chunk)) > 0 && clientReads,
    once: () => undefined,
    destroy: () => written.push('destroyed'),
  } as unknown as Response;
  const stream = new EventStream(EVENT, { response, expiresAt: Infinity, read });
  stream.open();
  return { stream, written };
}
const EVENT = {
  number: 1,
  seal: '0'.repeat(16),
  frame: Buffer.from('the event'),
} as unknown as Event;
const stretch = (...events: Event[]): FeedPage => ({ events, last: EVENT, isEnd: true });

test.each([
  ['a comment comes', 15_000, true, ':\n\n'],
  ['a client that does not read is cut off', 10_000, false, 'destroyed'],
])('%s after %i ms, not before', (_, ms, clientReads, expected) => {
  const { stream, written } = unsentStream(() => Promise.resolve(stretch()), clientReads);
  const opened = performance.now();
  stream.check(opened + ms - 1000);
  expect(written).toHaveLength(1);
  stream.check(opened + ms);
  expect(written.slice(1)).toEqual([expected]);
});

test('an event that arrives while an older read finds nothing is written at once', async () => {
  const reads: ((found: FeedPage) => void)[] = [];
  const { stream, written } = unsentStream(() => new Promise((resolve) => reads.push(resolve)));
  const first = stream.advance();
  await stream.advance();
  reads[0]?.(stretch());
  await eventually(() => reads.length === 2, 10_000, 'a second read');
  reads[1]?.(stretch(EVENT));
  await first;
  expect(written.at(-1)).toBe('the event');
});
