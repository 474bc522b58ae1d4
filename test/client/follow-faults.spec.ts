import { follow, type Patience } from '../../client/src/follow.js';
import { Http, type ClientOptions } from '../../client/src/http.js';
import { EventsMissedError, ProblemError, type Event, type Retry } from '../../client/src/waybill.js';
import { eventually } from '../support/races/eventually.js';

/** Short, where waiting is what a test is about; longer than any machine takes, where it is not. */
const PATIENCE: Patience = { firstByteMs: 60_000, silenceMs: 60_000, waitSeconds: 0 };

type Answer = (init: RequestInit, url: URL) => Response | Promise<Response>;

const event = (number: number): Event =>
  ({ id: `after-${number}`, sequence: String(number).padStart(19, '0'), data: {} }) as Event;
const block = (number: number) => `id: after-${number}\ndata: ${JSON.stringify(event(number))}\n\n`;

/** A stream of these texts, which then ends, or stays open until the request is given up. */
function stream(texts: readonly string[], end: 'ends' | 'stays' = 'ends'): Answer {
  return ({ signal }) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const text of texts) controller.enqueue(new TextEncoder().encode(text));
        if (end === 'ends') controller.close();
        else signal?.addEventListener('abort', () => controller.error(signal.reason));
      },
    });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } });
  };
}

/** Behind a proxy that buffers the whole stream, no response arrives. */
const held: Answer = ({ signal }) =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });

const page =
  (numbers: readonly number[], next: string): Answer =>
  () =>
    Response.json(numbers.map(event), { headers: { Link: `</v1/events?limit=500&after=${next}>; rel="next"` } });

const refusal =
  (status: number, headers: Record<string, string> = {}): Answer =>
  () =>
    new Response(JSON.stringify({ status, code: 'AS_A_TEST_WANTS_IT', detail: '' }), {
      status,
      headers: { 'Content-Type': 'application/problem+json', ...headers },
    });

/** A service that gives these answers, one after the other, and notes what it was asked for. */
function serviceThat(...answers: Answer[]) {
  const asked: { path: string; after: string | null; wait: string | null; token: string | null; at: number }[] = [];
  const retries: Retry[] = [];
  const read = (options: Partial<ClientOptions> = {}, filter = {}, patience: Partial<Patience> = {}) => {
    const fetch = async (address: string, init: RequestInit) => {
      const url = new URL(address);
      const { searchParams: query, pathname: path } = url;
      const token = new Headers(init.headers).get('Authorization');
      asked.push({ path, after: query.get('after'), wait: query.get('wait'), token, at: performance.now() });
      const answer = answers.shift();
      if (answer === undefined) throw new Error('No more answers');
      return answer(init, url);
    };
    const onRetry = (retry: Retry) => void retries.push(retry);
    const http = new Http({ baseUrl: 'http://service', fetch, onRetry, ...options });
    return follow(http, { after: 'after-0', ...filter }, { ...PATIENCE, ...patience });
  };
  return { asked, retries, read };
}

async function numbers(events: AsyncGenerator<Event>, count: number): Promise<number[]> {
  const taken: number[] = [];
  for await (const { sequence } of events) if (taken.push(Number(sequence)) === count) break;
  return taken;
}

describe('a stream that ends', () => {
  it('is opened again after the last event, or after a bookmark behind it', async () => {
    const { asked, read } = serviceThat(
      stream([block(1), block(2)]),
      stream([block(3), 'id: after-9\n\n']),
      stream([block(10)]),
    );
    expect(await numbers(read({}, { resource: ['move'] }), 4)).toEqual([1, 2, 3, 10]);
    expect(asked.map(({ after }) => after)).toEqual(['after-0', 'after-2', 'after-9']);
  });

  it('in the middle of an event gives that event out once', async () => {
    const { read } = serviceThat(stream([block(1), block(2).slice(0, 30)]), stream([block(2)]));
    expect(await numbers(read(), 2)).toEqual([1, 2]);
  });

  it('is not opened again before the time that the service asks for', async () => {
    const { asked, read } = serviceThat(stream(['retry: 300\n\n', block(1)]), stream([block(2)]));
    await numbers(read(), 2);
    expect((asked[1]?.at ?? 0) - (asked[0]?.at ?? 0)).toBeGreaterThanOrEqual(280);
  });
});

describe('numbers', () => {
  it.each([
    ['missing', [1, 3], 'Event 1 was followed by event 3; missing in between: 1.'],
    ['repeated', [1, 1], 'Event 1 was followed by event 1, which'],
    ['out of order', [2, 1], 'Event 2 was followed by event 1, which'],
  ])('that are %s are an EventsMissedError', async (_, sent, message) => {
    const { read } = serviceThat(stream(sent.map(block), 'stays'));
    const error = await numbers(read(), 2).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EventsMissedError);
    expect(error).toMatchObject({
      last: sent[0],
      received: sent[1],
      message: expect.stringContaining(message) as string,
    });
  });

  it('are compared across connections, too', async () => {
    const { read } = serviceThat(stream([block(1)]), stream([block(3)]));
    await expect(numbers(read(), 2)).rejects.toBeInstanceOf(EventsMissedError);
  });

  it('may be missing where something is filtered, but not go back', async () => {
    const filter = { type: ['move.created'] };
    expect(await numbers(serviceThat(stream([1, 5].map(block))).read({}, filter), 2)).toEqual([1, 5]);
    await expect(numbers(serviceThat(stream([5, 1].map(block))).read({}, filter), 2)).rejects.toBeInstanceOf(
      EventsMissedError,
    );
  });
});

describe('where streams do not pass', () => {
  it.each<[string, Answer]>([
    ['nothing comes of them', held],
    ['only their headers come', stream([], 'stays')],
    ['there is no way to them', refusal(404)],
    [
      'fetch has none',
      () =>
        Object.defineProperty(new Response('', { headers: { 'Content-Type': 'text/event-stream' } }), 'body', {
          value: null,
        }),
    ],
  ])('long polling takes over: %s', async (_, answer) => {
    const { asked, read } = serviceThat(answer, page([1, 2], 'after-2'), page([], 'after-8'), page([3], 'after-9'));
    expect(await numbers(read({}, {}, { firstByteMs: 200, waitSeconds: 7 }), 3)).toEqual([1, 2, 3]);
    expect(asked.map(({ path, after, wait }) => [path, after, wait])).toEqual([
      ['/v1/events/stream', 'after-0', null],
      ['/v1/events', 'after-0', '7'],
      ['/v1/events', 'after-2', '7'],
      ['/v1/events', 'after-8', '7'],
    ]);
  });

  it('a stream is tried again when long polling fails, too', async () => {
    const { asked, read } = serviceThat(held, refusal(503), stream([block(1)]));
    expect(await numbers(read({}, {}, { firstByteMs: 200 }), 1)).toEqual([1]);
    expect(asked.map(({ path }) => path)).toEqual(['/v1/events/stream', '/v1/events', '/v1/events/stream']);
  });
});

describe('a stream', () => {
  it('that falls silent is given up and opened again', async () => {
    const { asked, read } = serviceThat(stream([block(1)], 'stays'), stream([block(2)]));
    expect(await numbers(read({}, {}, { silenceMs: 200 }), 2)).toEqual([1, 2]);
    expect(asked.map(({ path }) => path)).toEqual(['/v1/events/stream', '/v1/events/stream']);
  });

  it('is not given up while its reader takes its time', async () => {
    const { asked, read } = serviceThat(stream([block(1) + block(2)], 'stays'));
    const events = read({}, {}, { silenceMs: 50 });
    await events.next();
    // Another one that is silent for longer than that has been given up by then.
    const silent = serviceThat(stream([block(1)], 'stays'), stream([block(2)]));
    await numbers(silent.read({}, {}, { silenceMs: 100 }), 2);
    expect(Number((await events.next()).value?.sequence)).toBe(2);
    expect(asked).toHaveLength(1);
    await events.return();
  });
});

it('an aborted signal holds back what has come already', async () => {
  const ending = new AbortController();
  const events = serviceThat(stream([block(1) + block(2)], 'stays')).read({}, { signal: ending.signal });
  await events.next();
  ending.abort(new Error('enough'));
  await expect(events.next()).rejects.toThrow('enough');
});

describe('refusals', () => {
  it('that pass are waited for, never less than Retry-After says, and without giving up', async () => {
    const refused = [502, 503, 504, 429].map((status) => refusal(status, status === 429 ? { 'Retry-After': '1' } : {}));
    const { asked, retries, read } = serviceThat(...refused, stream([block(1)]));
    await numbers(read({ retries: 0 }), 1);
    expect((asked[4]?.at ?? 0) - (asked[3]?.at ?? 0)).toBeGreaterThanOrEqual(980);
    expect(retries.map(({ attempt, reason }) => [attempt, reason.status])).toEqual([
      [1, 502],
      [2, 503],
      [3, 504],
      [4, 429],
    ]);
  });

  it.each([400, 403, 410])('that do not pass are thrown: %i', async (status) => {
    await expect(numbers(serviceThat(refusal(status)).read(), 1)).rejects.toBeInstanceOf(ProblemError);
  });

  it('of a token are answered with a new one, once', async () => {
    const token = (refused?: string) => (refused === undefined ? 'old' : 'new');
    const { asked, read } = serviceThat(refusal(401), stream([block(1)]));
    await numbers(read({ token }), 1);
    expect(asked.map((request) => request.token)).toEqual(['Bearer old', 'Bearer new']);
    await expect(numbers(serviceThat(refusal(401), refusal(401)).read({ token }), 1)).rejects.toMatchObject({
      status: 401,
    });
    await expect(numbers(serviceThat(refusal(401)).read({ token: 'constant' }), 1)).rejects.toMatchObject({
      status: 401,
    });
  });

  it('are not waited out by somebody who no longer wants to know', async () => {
    const ending = new AbortController();
    const { asked, read } = serviceThat(refusal(503, { 'Retry-After': '60' }));
    const waiting = numbers(read({}, { signal: ending.signal }), 1);
    waiting.catch(() => undefined);
    await eventually(() => asked.length === 1, 30_000, 'the request');
    ending.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});
