import type { Json } from '../support/http/api.js';
import { allNumbered } from '../support/records/events.js';
import { explain, PLAN_MODES, sentDuring } from '../support/database/explained.js';
import { nextOf } from '../support/http/paging.js';
import type { Sent } from '../support/database/queries.js';
import { RawStream } from '../support/http/raw-stream.js';
import { createAgent, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

/** A shipment that is changed often, then many moves that are deleted, and an agent as the last event. */
const UPDATES = 1200;
const MOVES = 6800;
const LIMIT = 100;
/** Rows that a page may read beyond its events. */
const FEW = 10;
/** How many events a filter examines for one page, as docs/events.md says. */
const EXAMINED = 5000;

const service = useService();
let shipment: Json;
let agent: Json;
let start: string;

beforeAll(async () => {
  const { api, sql } = service;
  start = cursorIn(await api.get('/v1/events?after=now'));
  shipment = await createShipment(api);
  await sql.query(`SET waybill.author = 'r seed'`);
  // Each in a transaction of its own: within one, every change would read all versions of the row before it.
  await sql.query(`
    DO $$ BEGIN FOR turn IN 1..${UPDATES} LOOP
      UPDATE shipments SET customer_remarks = repeat(chr(65 + turn % 26), 500) WHERE id = '${shipment.id}';
      COMMIT;
    END LOOP; END $$`);
  await sql.query(`
    INSERT INTO history (root_id, record_kind, record_id, type, changed_by, changed_at)
    SELECT id, 'move', id, 'deleted', 'seed', now_ms() FROM generate_series(1, ${MOVES}) n, LATERAL (SELECT uuidv7() AS id, n)`);
  agent = await createAgent(api, {}, shipment);
  await allNumbered(sql);
  await sql.query('VACUUM ANALYZE history, events');
}, 120_000);

function cursorIn({ headers }: { headers: Headers }): string {
  return new URL(nextOf(headers) ?? '', 'http://x').searchParams.get('after') ?? '';
}

const page = (after: string, query: string) => service.api.get<Json[]>(`/v1/events?after=${after}&${query}`);

/** The most rows that a step of a statement looked at, by either kind of plan. */
async function mostRows(sent: Sent): Promise<number> {
  const executions = [];
  for (const mode of PLAN_MODES) executions.push(await explain(service.sql, sent, mode));
  expect(executions.flatMap(({ readWhole }) => readWhole)).toEqual([]);
  return Math.max(...executions.map(({ rows }) => rows));
}

test('a page is one statement that reads its events, also of a record that was changed thousands of times', async () => {
  const deep = cursorIn(await page(start, 'limit=1000'));
  let events: Json[] = [];
  const sent = await sentDuring(async () => {
    events = (await page(deep, `limit=${LIMIT}`)).body;
  });
  expect(events.map(({ subject }) => subject)).toEqual(Array(LIMIT).fill(`shipments/${shipment.id}`));
  expect(sent).toHaveLength(1);
  // Each event has an entry of history and one before it.
  for (const each of sent) expect(await mostRows(each)).toBeLessThanOrEqual(2 * LIMIT + FEW);
});

test.each(['resource=service', 'type=service.created', 'resourceID=<none>', 'moveID=<none>'])(
  'a page for %s, which matches nothing, is one statement that examines a bounded number of events',
  async (query) => {
    const filter = query.replace('<none>', '00000000-0000-7000-8000-000000000000');
    let answer: { body: Json[]; headers: Headers } | undefined;
    const sent = await sentDuring(async () => {
      answer = await page(start, `limit=${LIMIT}&${filter}`);
    });
    expect(answer?.body).toEqual([]);
    expect(sent).toHaveLength(1);
    for (const each of sent) expect(await mostRows(each)).toBeLessThanOrEqual(EXAMINED + FEW);
  },
);

test('an empty page leads on behind what it examined, until the event that the filter matches', async () => {
  const first = await page(start, 'resource=agent');
  expect(first.body).toEqual([]);
  const all = await page(start, `limit=1000`);
  expect(cursorIn(first)).not.toBe(cursorIn(all));
  const second = await page(cursorIn(first), 'resource=agent');
  expect(second.body.map(({ data }) => data.resourceID)).toEqual([agent.id]);
  expect(Number(second.body[0]?.sequence)).toBeGreaterThan(EXAMINED);
  expect(cursorIn(second)).toBe(second.body[0]?.id);
});

test('a stream that catches up reads the pages that a client would read, each once', async () => {
  const head = cursorIn(await service.api.get('/v1/events?after=now'));
  const [asPage] = await sentDuring(() => page(start, `limit=${LIMIT}`));
  let stream: RawStream | undefined;
  const sent = await sentDuring(async () => {
    stream = RawStream.open(service, `/v1/events/stream?after=${start}`);
    await stream.until(({ body }) => body.includes(`id: ${head}\n`), 'all events', 60_000);
    stream.close();
  });
  const total = 3 + UPDATES + MOVES;
  expect(stream?.count).toBe(total);
  expect(new Set(sent.map(({ text }) => text))).toEqual(new Set([asPage?.text]));
  // One more checks the cursor. A client that cannot keep up for a second lets go of its page, which is then read again.
  expect(sent.length).toBeLessThanOrEqual(total / LIMIT + FEW);
});

test('filters match the same events in memory and in the database', async () => {
  const { api, sql } = service;
  const before = cursorIn(await api.get('/v1/events?after=now'));
  const other = await createShipment(api);
  const added = await createAgent(api, {}, other);
  const last = await createAgent(api, { agentType: 'RECEIVING_AGENT' }, shipment);
  await allNumbered(sql);
  const found = async (filter: string) => {
    const answer = await page(before, filter);
    return { events: answer.body, next: cursorIn(answer) };
  };
  const { moveCode } = (await api.get(`/v1/moves/${other.moveID}`)).body;
  const filters: [query: string, ids: string[]][] = [
    ['resource=agent', [added.id, last.id]],
    ['resource=agent,shipment', [other.id, added.id, last.id]],
    ['type=shipment.created,move.created', [other.moveID, other.id]],
    ['type=shipment.created&resource=shipment,move', [other.id]],
    [`resourceID=${other.id}`, [other.id, added.id]],
    [`resourceID=${added.id}`, [added.id]],
    [`moveID=${other.moveID}`, [other.moveID, other.id, added.id]],
    [`moveID=${moveCode}`, [other.moveID, other.id, added.id]],
    ['moveID=ZZZZZZ', []],
    [`moveID=${shipment.moveID}&type=agent.created`, [last.id]],
    ['resource=move&limit=1', [other.moveID]],
  ];
  const stored = new Map<string, unknown>();
  for (const [filter, ids] of filters) {
    const { events, next } = await found(filter);
    expect([filter, ...events.map(({ data }) => data.resourceID)]).toEqual([filter, ...ids]);
    stored.set(filter, { events, next });
  }
  const stream = await RawStream.open(service, '/v1/events/stream?after=now').opened();
  for (const [filter] of filters) {
    const sent = await sentDuring(async () => expect(await found(filter)).toEqual(stored.get(filter)));
    expect(sent.filter(({ text }) => /\bevents\b/.test(text))).toEqual([]);
  }
  stream.close();
});
