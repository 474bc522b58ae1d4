import { getEventListeners } from 'node:events';
import { follow } from '../../client/src/follow.js';
import { Http } from '../../client/src/http.js';
import { bounded, pause } from '../../client/src/pause.js';
import { WaybillClient, type Event, type Retry } from '../../client/src/waybill.js';

const ID = '0199c3a0-8a10-7d2f-8b64-1a9f6e2d3c4b';

const event = (number: number): Event =>
  ({
    id: `after-${number}`,
    type: 'move.updated',
    time: `2026-01-01T00:00:00.${number}00Z`,
    sequence: String(number).padStart(19, '0'),
    data: { resourceID: ID, eTag: `v${number}`, changes: [] },
  }) as unknown as Event;

type Answer = () => Response | Promise<Response>;

const link = { Link: '</v1/events?after=after-0>; rel="next"' };
const problem = (status: number, code: string): Answer => {
  return () => {
    const headers = { 'Content-Type': 'application/problem+json' };
    return new Response(JSON.stringify({ status, code, detail: '', oldest: 'after-0' }), { status, headers });
  };
};
const page = (status: number, headers: Record<string, string> = {}): Answer => {
  return () => new Response('<h1>Back soon</h1>', { status, headers: { 'Content-Type': 'text/html', ...headers } });
};
const stream = (text: string): Answer => {
  return () => new Response(text, { headers: { 'Content-Type': 'text/event-stream' } });
};

/** Responses to an endless reader, and whether it continues after them. */
const TABLE: readonly [about: string, answer: Answer, survives: boolean][] = [
  ['no connection', () => Promise.reject(new TypeError('fetch failed')), true],
  ['a maintenance page with status 200', page(200), true],
  ['an empty answer', () => new Response(''), true],
  ['an answer without a body', () => new Response(null, { status: 204 }), true],
  ['a redirect', page(302, { Location: 'https://elsewhere.example/sign-in' }), true],
  ['400 of the service', problem(400, 'INVALID_PARAMETER'), false],
  ['400 of something in front of it', page(400), false],
  ['401', problem(401, 'UNAUTHENTICATED'), false],
  ['401 of something in front of it', page(401), false],
  ['403', problem(403, 'FORBIDDEN'), false],
  ['404', problem(404, 'NOT_FOUND'), true],
  ['404 of something in front of it', page(404), true],
  ['406', problem(406, 'NOT_ACCEPTABLE'), true],
  ['410 of something in front of it', page(410), false],
  ['421', page(421), true],
  ['429', page(429, { 'Retry-After': '0' }), true],
  ['500', problem(500, 'INTERNAL'), true],
  ['500 of something in front of it', page(500), true],
  ['502', page(502), true],
  ['503', problem(503, 'UNAVAILABLE'), true],
  ['504', page(504), true],
  ['520', page(520), true],
  ['a problem that is cut in the middle', () => new Response('{"status":5', { status: 500 }), true],
];

/** Only of a stream. */
const STREAMS: typeof TABLE = [
  ['an event that is cut in the middle', stream('id: after-1\ndata: {"id":\n\n'), true],
  ['an event that is no object', stream('id: after-1\ndata: null\n\n'), true],
];

async function outcome(reading: Promise<unknown>): Promise<boolean> {
  return reading.then(
    () => true,
    () => false,
  );
}

describe('follow', () => {
  test.each([...TABLE, ...STREAMS])('%s', async (_, answer, survives) => {
    const answers = [answer, answer, stream(`id: after-1\ndata: ${JSON.stringify(event(1))}\n\n`)];
    const fetch = async () => (answers.shift() ?? page(410))();
    const events = follow(new Http({ baseUrl: 'http://service', fetch }), { after: 'after-0' });
    expect(await outcome(events.next())).toBe(survives);
    await events.return();
  });
});

describe('a mirror that reads a record', () => {
  test.each(TABLE)('%s', async (about, answer, survives) => {
    const record = { id: ID, eTag: 'v2', updatedAt: event(2).time };
    const answers = [answer, answer];
    const ending = new AbortController();
    let seen: () => void;
    const changed = new Promise<void>((resolve) => (seen = resolve));
    const client = new WaybillClient({
      baseUrl: 'http://service',
      retries: 0,
      fetch: async (url, { signal }) => {
        if (url.includes('after=now')) return Response.json([], { headers: link });
        if (url.includes('/events/stream'))
          return openStream(`id: after-1\ndata: ${JSON.stringify(event(2))}\n\n`, signal);
        if (url.includes('/v1/moves?')) return Response.json([{ ...record, eTag: 'v0', updatedAt: event(0).time }]);
        return (answers.shift() ?? (() => Response.json(record)))();
      },
    });
    const mirror = await client.moves.mirror({ signal: ending.signal, onChange: () => seen() });
    // A record that does not exist is one that was deleted.
    const isGone = about === '404';
    expect(await outcome(Promise.race([changed, mirror.ended.then(() => Promise.reject(new Error('ended')))]))).toBe(
      survives,
    );
    if (survives) expect(mirror.records.get(ID)?.eTag).toBe(isGone ? undefined : 'v2');
    ending.abort();
    await outcome(mirror.ended);
  });
});

test('a list of events without a link to the next page does not come from the service', async () => {
  const client = new WaybillClient({ baseUrl: 'http://service', fetch: () => Promise.resolve(Response.json([])) });
  await expect(client.events.head()).rejects.toMatchObject({ name: 'NoAnswerError', status: 200 });
});

function openStream(text: string, signal: AbortSignal | null | undefined): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      signal?.addEventListener('abort', () => controller.error(signal.reason));
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
}

describe('a pause', () => {
  test.each([2 ** 31, 30 * 24 * 3_600_000, Infinity])('of %d ms is waited for', async (milliseconds) => {
    const ending = new AbortController();
    let isOver = false;
    const waiting = pause(milliseconds, ending.signal).then(() => (isOver = true));
    waiting.catch(() => undefined);
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(isOver).toBe(false);
    ending.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(bounded(milliseconds)).toBeLessThan(2 ** 31);
  });

  test('that a header asks a reader for is waited for, and told', async () => {
    const retries: Retry[] = [];
    const fetch = async () => page(503, { 'Retry-After': '2592000' })();
    const ending = new AbortController();
    const onRetry = (retry: Retry) => {
      if (retries.push(retry) > 1) ending.abort();
    };
    const http = new Http({ baseUrl: 'http://service', fetch, onRetry });
    const reading = follow(http, { after: 'after-0', signal: ending.signal }).next();
    reading.catch(() => undefined);
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(retries.map(({ delayMs }) => delayMs)).toEqual([3_600_000]);
    ending.abort();
    await outcome(reading);
  });
});

test('calls leave no listener behind at a long-lived signal', async () => {
  const { signal } = new AbortController();
  const answers: Answer[] = [
    () => Response.json({ id: ID, eTag: 'v1' }),
    page(500),
    () => new Response('id\r\n', { headers: { 'Content-Type': 'text/csv' } }),
    page(500),
    () => new Response('id\r\n1', { headers: { 'Content-Type': 'text/csv' } }),
  ];
  const fetch = async () => (answers.shift() ?? page(500))();
  const client = new WaybillClient({ baseUrl: 'http://service', fetch, retries: 0 });
  await client.moves.get(ID, { signal });
  await outcome(client.moves.get(ID, { signal }));
  await new Response(await client.moves.export({ signal }).file('csv')).text();
  await outcome(client.moves.export({ signal }).file('csv'));
  await outcome(new Response(await client.imports.result(ID, { signal })).text());
  expect(answers).toEqual([]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
