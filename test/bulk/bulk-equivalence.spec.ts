import fc from 'fast-check';
import type { Json } from '../support/http/api.js';
import { itemFor, makeTwins, plans, sendSingle, type Plan, type Twin } from '../support/records/bulk-twins.js';
import { allNumbered } from '../support/records/events.js';
import { nextOf } from '../support/http/paging.js';
import { createMove } from '../support/records/records.js';
import { repetitions } from '../support/repository/sweeps.js';
import { useService } from '../support/service/service.js';

/**
 * A bulk against single requests: the same items are sent in a bulk to one set of shipments, and one by one to its twin.
 * Item by item, everything must be the same afterwards: answers, records, history and events. All or nothing, it must be the same
 * or nothing must have happened.
 */
const BULKS = Number(process.env.TEST_BULKS ?? repetitions(200, 40));
/** The suite tries the same bulks each time; with TEST_BULKS there are as many others as one likes, and a table of what they were. */
const SEED = process.env.TEST_BULKS === undefined ? { seed: 18 } : {};
const TIMEOUT_MS = 300_000 + BULKS * 1000;

const service = useService();

let move: Json;
beforeAll(async () => {
  move = await createMove(service.api);
});

/** Replaces values that are generated for each record and request, which always differ. */
function withoutNames(value: unknown): Json {
  const text = JSON.stringify(value)
    .replaceAll(/[0-9a-f]{64}|\\\\x[0-9a-f]{64}/g, 'eTag')
    .replaceAll(/(?<=")[A-HJ-NP-Z2-9]{6}-\d{2,}(?=")/g, 'code')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, 'time')
    .replaceAll(/"no-id-\d+|no-id-\d+/g, 'no-id')
    .replaceAll(/"(bulk|singles)-\d+"/g, '"request"')
    .replaceAll(/"(move_code":|moveCode","from":null,"to":)"\w{6}"/g, '"$1"code"')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) =>
      id === move.id ? 'move' : 'id',
    )
    .replaceAll(/"instance":"[^"]*",/g, '');
  return JSON.parse(text);
}

/** Records with their history, in this order. */
async function storedOf(ids: readonly string[]): Promise<Json[]> {
  const { rows } = await service.sql.query(
    `SELECT to_jsonb(s) AS record,
       (SELECT jsonb_agg(jsonb_build_array(h.type, h.changed_by, h.request_id, h.record) ORDER BY h.position)
        FROM history h WHERE h.record_id = asked.id) AS history
     FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, position) LEFT JOIN shipments s USING (id) ORDER BY position`,
    [ids],
  );
  return rows;
}

/** One side of a comparison: the id of its requests, and for each item the ids of what it is about or has made. */
interface Side {
  readonly requestID: string;
  readonly ids: readonly (readonly string[])[];
}

function sideOf(requestID: string, twins: readonly Twin[], results: readonly Json[]): Side {
  const ids = twins.map(({ id }, index) => {
    const { id: made = id, moveID = move.id } = results[index]?.shipment ?? {};
    return [...new Set([id, made, ...(moveID === move.id ? [] : [moveID])])];
  });
  return { requestID, ids };
}

/** How often each outcome came about, as "atomic op status code". */
const seen = new Map<string, number>();
const compared: { readonly plan: Plan; readonly isRefused: boolean; readonly bulk: Side; readonly singles: Side }[] =
  [];

async function judge(plan: Plan): Promise<void> {
  const { atomic, priors, items } = plan;
  const [forBulk, forSingles] = await makeTwins(service.sql, move, priors);
  const planned = items.map((item) => ({ ...item, body: withMove(item.body) }));
  const before = await storedOf(forBulk.map(({ id }) => id));
  const requestOf = (kind: 'bulk' | 'singles') => ({ 'X-Request-ID': `${kind}-${compared.length}` });

  const singles: { status: number; shipment?: Json; problem?: Json }[] = [];
  for (const [index, item] of planned.entries()) {
    const twin = twinAt(forSingles, index);
    const { status, body } = await sendSingle(service.api, item, twin, index, requestOf('singles'));
    singles.push({ status, ...(body !== undefined && (status < 300 ? { shipment: body } : { problem: body })) });
  }
  const body = { atomic, items: planned.map((item, index) => itemFor(item, twinAt(forBulk, index), index)) };
  const answer = await service.api.post('/v1/shipments/bulk', body, requestOf('bulk'));

  const isRefused = atomic && singles.some(({ status }) => status >= 300);
  planned.forEach(({ op }, index) => {
    const single = singles[index];
    const outcome = [atomic ? 'atomic' : 'each', op, single?.status, single?.problem?.code ?? ''].join(' ').trim();
    seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
  });
  expect(answer.status).toBe(isRefused ? 409 : atomic ? 200 : 207);
  const expected = singles.map((single) => (isRefused && single.status < 300 ? { status: 424 } : single));
  expect(withoutNames(answer.body.items)).toEqual(withoutNames(expected));

  const sides = {
    bulk: sideOf(requestOf('bulk')['X-Request-ID'], forBulk, answer.body.items),
    singles: sideOf(requestOf('singles')['X-Request-ID'], forSingles, singles),
  };
  const after = await storedOf(sides.bulk.ids.flat());
  if (isRefused) expect(after).toEqual(before);
  else expect(withoutNames(after)).toEqual(withoutNames(await storedOf(sides.singles.ids.flat())));
  compared.push({ plan, isRefused, ...sides });
}

function twinAt(twins: readonly Twin[], index: number): Twin {
  const twin = twins[index];
  if (twin === undefined) throw new Error(`There is no twin ${index}`);
  return twin;
}

function withMove(body: Json): Json {
  const text = JSON.stringify(body).replace('<move id>', move.id).replace('<move code>', move.moveCode);
  return JSON.parse(text);
}

/** The whole feed, by request. */
async function eventsByRequest(): Promise<Map<string, Json[]>> {
  await allNumbered(service.sql);
  const found = new Map<string, Json[]>();
  let last = 0;
  for (let next: string | undefined = '/v1/events?limit=1000'; next !== undefined;) {
    const { body, headers }: { body: Json[]; headers: Headers } = await service.api.get(next);
    for (const event of body) {
      expect(Number(event.sequence)).toBe((last += 1));
      const own = found.get(event.data.requestID) ?? [];
      found.set(event.data.requestID, own);
      own.push(event);
    }
    next = body.length === 0 ? undefined : nextOf(headers);
  }
  return found;
}

/** Those of each item in their order; a transaction does not order what it does to different shipments. */
function eventsOfItems(events: ReadonlyMap<string, Json[]>, { requestID, ids }: Side): Json[] {
  const own = (events.get(requestID) ?? []).map(({ id: _, sequence: __, ...event }) => ({
    item: ids.findIndex((each) => each.includes(event.data.resourceID)),
    event: withoutNames(event),
  }));
  return own.sort((one, other) => one.item - other.item);
}

test(
  `${BULKS} bulks do what their single requests do, or nothing`,
  async () => {
    await fc.assert(fc.asyncProperty(plans, judge), { numRuns: BULKS, endOnFailure: true, ...SEED });
  },
  TIMEOUT_MS,
);

test(
  'and their events are the same, or there are none',
  async () => {
    expect(compared).toHaveLength(BULKS);
    const events = await eventsByRequest();
    for (const { plan, isRefused, bulk, singles } of compared) {
      const expected = isRefused ? [] : eventsOfItems(events, singles);
      expect({ plan, events: eventsOfItems(events, bulk) }).toEqual({ plan, events: expected });
    }
  },
  TIMEOUT_MS,
);

test('no outcome was another than these, and among many bulks was each', () => {
  const conditional = ['400 INVALID_HEADER', '404 NOT_FOUND', '412 PRECONDITION_FAILED'];
  const update = ['200', ...conditional, '422 VALIDATION_FAILED', '428 PRECONDITION_REQUIRED'];
  const outcomes = {
    create: ['201', '422 VALIDATION_FAILED'],
    update,
    updateStatus: [...update, '409 STATUS_TRANSITION'],
    delete: ['204', ...conditional],
  };
  const expected = Object.entries(outcomes).flatMap(([op, each]) =>
    each.flatMap((outcome) => [`atomic ${op} ${outcome}`, `each ${op} ${outcome}`]),
  );
  if (process.env.TEST_BULKS !== undefined) process.stdout.write(tableOf(seen));
  expect(expected).toEqual(expect.arrayContaining([...seen.keys()]));
  expect(seen.size).toBeGreaterThanOrEqual(BULKS < 200 ? 20 : expected.length);
});

function tableOf(counts: ReadonlyMap<string, number>): string {
  const lines = [...counts].sort().map(([outcome, count]) => `${outcome.padEnd(50)} ${count}\n`);
  return `What the single requests of ${compared.length} bulks came to:\n${lines.join('')}`;
}
