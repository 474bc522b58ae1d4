// Not through PgBouncer: it counts statements and injects faults on the connection between service and PostgreSQL.
import { randomUUID } from 'node:crypto';
import { ITEMS_PER_TRANSACTION } from '../../src/bulk/bulk-progress.js';
import type { Answer, Json } from '../support/http/api.js';
import { untilNoTransaction } from '../support/database/activity.js';
import type { Fault } from '../support/database/postgres-proxy.js';
import { createMove } from '../support/records/records.js';
import { shareOf } from '../support/repository/sweeps.js';
import { useProxiedService } from '../support/service/proxied-service.js';
import { requireRowLocks } from '../support/races/write-witness.js';
import { timeoutsWithin } from '../support/service/timeouts.js';

/**
 * The statements of a bulk fail or lose their connection, one after the other. Whatever the first answer says of an item is so, and
 * a repetition with the same key ends with every item done once, and none in conflict with its own first attempt.
 */
const FAULTS: readonly (readonly [string, Fault])[] = [
  ['cannot be serialized', { refuse: '40001' }],
  ['loses its connection while it is under way', { lose: 'in flight' }],
  ['loses its connection before its answer', { lose: 'answer' }],
];

/** More than one transaction has room for. */
const UPDATES = ITEMS_PER_TRANSACTION + 1;

const { proxy, service } = useProxiedService(timeoutsWithin(20_000));
let ids: string[];
let move: Json;

beforeAll(async () => {
  await requireRowLocks(service.sql);
  move = await createMove(service.api);
  const items = Array.from({ length: UPDATES + 1 }, () => ({
    op: 'create',
    values: { shipmentType: 'HHG', moveID: move.id },
  }));
  const { body } = await service.api.post('/v1/shipments/bulk', { items });
  ids = body.items.map(({ shipment }: Json) => shipment.id);
});

/** Updates, one of which is stale, and a creation in each transaction. */
async function bulkFor(atomic: boolean): Promise<Json> {
  const { rows } = await service.sql.query(
    'SELECT id, etag_of(updated_at) AS "eTag" FROM shipments WHERE id = ANY ($1)',
    [ids],
  );
  const eTags = new Map(rows.map(({ id, eTag }) => [id, eTag]));
  const [staleID = '', ...others] = ids;
  const update = (id: string, ifMatch: string) => ({ op: 'update', id, ifMatch, patch: { actualWeight: 7 } });
  const items = [
    { op: 'create', values: { shipmentType: 'HHG' } },
    ...(atomic ? [] : [update(staleID, '0'.repeat(64))]),
    ...(atomic ? others.slice(0, 3) : others).map((id) => update(id, eTags.get(id))),
    { op: 'create', values: { shipmentType: 'HHG', moveID: move.id } },
  ];
  return { atomic, items };
}

const send = (body: Json, headers: Record<string, string>) => service.api.post('/v1/shipments/bulk', body, headers);

/** Sends a request, while the statements of the given numbers go wrong; returns their texts. */
async function during(work: () => Promise<unknown>, position: number, fault?: Fault): Promise<string[]> {
  const sent: string[] = [];
  proxy.plan = (text) => (sent.push(text) === position ? fault : undefined);
  await work();
  proxy.plan = () => undefined;
  return sent;
}

async function writtenBy(requestID: string): Promise<Map<string, number>> {
  await untilNoTransaction(service.sql);
  const { rows } = await service.sql.query(
    `SELECT record_id AS id, count(*)::int AS count FROM history WHERE request_id = $1 AND record_kind = 'shipment' GROUP BY 1`,
    [requestID],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

const isFinal = ({ status, body }: Answer<Json>) =>
  status < 300 && body.items.every((item: Json) => item.status !== 503);

/** Names a false statement in the response; undefined if everything in it is true. */
async function lieIn(body: Json, { status, body: told }: Answer<Json>, requestID: string): Promise<string | undefined> {
  const written = await writtenBy(requestID);
  if ([...written.values()].some((count) => count > 1)) return 'a shipment was written twice';
  if (status === 503 && told.code === 'UNAVAILABLE') return written.size === 0 ? undefined : 'something was written';
  if (status === 503) return undefined;
  if (status !== 200 && status !== 207) return `answered ${status} ${told.code}`;
  const created = told.items.filter((item: Json) => item.status === 201).map(({ shipment }: Json) => shipment.id);
  const lies = body.items.map(({ op, id, ifMatch }: Json, index: number) => {
    const item = told.items[index];
    const isThere = written.has(op === 'create' ? item.shipment?.id : id);
    if (/^0+$/.test(ifMatch ?? '1'))
      return item.status === 412 || item.status === 503 ? undefined : `stale ${item.status}`;
    if (item.status < 300) return isThere ? undefined : `item ${index} was not written`;
    if (item.status !== 503) return `item ${index} answered ${item.status} ${item.problem.code}`;
    return isThere && item.problem.code === 'UNAVAILABLE' ? `item ${index} was written` : undefined;
  });
  const others = [...written.keys()].filter((id) => !ids.includes(id) && !created.includes(id));
  const unsure = told.items.some((item: Json) => item.problem?.code === 'OUTCOME_UNKNOWN');
  if (others.length > 0 && !unsure) lies.push('a shipment was created that no item tells of');
  return lies.find((lie: string | undefined) => lie !== undefined);
}

async function faultOf(atomic: boolean, keyed: boolean, position: number, fault: Fault): Promise<string | undefined> {
  const body = await bulkFor(atomic);
  const requestID = randomUUID();
  const headers = { 'X-Request-ID': requestID, ...(keyed && { 'Idempotency-Key': requestID }) };
  let first: Answer<Json> | undefined;
  await during(async () => (first = await send(body, headers)), position, fault);
  const lie = first === undefined ? 'no answer' : await lieIn(body, first, requestID);
  if (lie !== undefined || !keyed) return lie;
  const second = await send(body, headers);
  if (!isFinal(second)) return `the repetition answered ${second.status} ${JSON.stringify(second.body).slice(0, 300)}`;
  const third = await send(body, headers);
  if (JSON.stringify(third.body) !== JSON.stringify(second.body)) return 'a second repetition got another answer';
  return lieIn(body, second, requestID);
}

/** The positions of those statements that differ from the one before or after them: the rest are alike. */
function positionsIn(texts: readonly string[]): number[] {
  const kind = (text: string | undefined) => text?.replace(/[^a-z_]+/gi, ' ').slice(0, 60);
  return texts.flatMap((text, index) =>
    kind(text) === kind(texts[index - 1]) && kind(text) === kind(texts[index + 1]) ? [] : [index + 1],
  );
}

describe.each([
  ['atomic', true],
  ['item by item', false],
])('%s', (_, atomic) => {
  it.each([
    ['with a key', true],
    ['without a key', false],
  ])('every statement may go wrong, %s', async (__, keyed) => {
    const headers: Record<string, string> = keyed ? { 'Idempotency-Key': randomUUID() } : {};
    const body = await bulkFor(atomic);
    const positions = positionsIn(await during(() => send(body, headers), 0));
    const found: string[] = [];
    for (const position of positions) {
      for (const [name, fault] of shareOf(FAULTS, position, FAULTS.length)) {
        const wrong = await faultOf(atomic, keyed, position, fault);
        if (wrong !== undefined) found.push(`statement ${position} ${name}: ${wrong}`);
      }
    }
    expect(found).toEqual([]);
    expect(positions.length).toBeGreaterThan(atomic ? 6 : 12);
  });
});

test('a repetition that comes while the first attempt still runs takes nothing twice', async () => {
  const body = await bulkFor(false);
  const requestID = randomUUID();
  const headers = { 'X-Request-ID': requestID, 'Idempotency-Key': requestID };
  const answers = await Promise.all(Array.from({ length: 4 }, () => send(body, headers)));
  expect(answers.some(isFinal)).toBe(true);
  const last = await send(body, headers);
  expect(await lieIn(body, last, requestID)).toBeUndefined();
});
