import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import type { Json } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { createAgent } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

/** Another transaction holds locks until the bulk is answered. */
const service = useService({ LOCK_TIMEOUT_MS: '200' });

let other: Client;
beforeEach(async () => {
  other = await service.connect();
  await other.query('BEGIN');
});
afterEach(() => other.end());

const COUNT = 120;

async function shipments(count: number): Promise<Json[]> {
  const items = Array.from({ length: count }, () => ({ op: 'create', values: { shipmentType: 'HHG' } }));
  const { body } = await service.api.post('/v1/shipments/bulk', { items });
  return body.items.map(({ shipment }: Json) => shipment);
}

const update = ({ id, eTag }: Json) => ({ op: 'update', id, ifMatch: eTag, patch: { actualWeight: 9 } });

const send = (items: object[], headers: Record<string, string> = {}, atomic = false) =>
  service.api.post('/v1/shipments/bulk', { atomic, items }, headers);

const hold = (ids: readonly string[]) => other.query('SELECT FROM shipments WHERE id = ANY ($1) FOR UPDATE', [ids]);
const told = (items: Json[]) => items.map(({ status, problem }) => `${status} ${problem?.code ?? ''}`.trim());

/** How often each shipment was changed. */
async function changes(of: readonly Json[]): Promise<number[]> {
  const { rows } = await service.sql.query(
    `SELECT count(h.position)::int AS count FROM unnest($1::uuid[]) WITH ORDINALITY AS one (id, n)
     LEFT JOIN history h ON h.record_id = one.id AND h.type = 'updated' GROUP BY n ORDER BY n`,
    [of.map(({ id }) => id)],
  );
  return rows.map(({ count }) => count);
}

test.each([
  ['the first item', [0]],
  ['one of the first transaction', [7]],
  ['the last item', [COUNT - 1]],
  ['some items', [0, 1, 49, 50, 99]],
])('503 for the items that are in use, and only for these: %s', async (_, inUse) => {
  const all = await shipments(COUNT);
  await hold(inUse.map((index) => all[index]?.id));
  const key = { 'Idempotency-Key': randomUUID() };
  const { status, body } = await send(all.map(update), key);
  const expected = all.map((__, index) => (inUse.includes(index) ? '503 UNAVAILABLE' : '200'));
  expect([status, told(body.items)]).toEqual([207, expected]);
  expect(body.items[inUse[0] ?? 0].problem.detail).toMatch(/^Another transaction is using the record/);
  expect(await changes(all)).toEqual(all.map((__, index) => (inUse.includes(index) ? 0 : 1)));

  // A repetition with the key tries these again, and nothing else; the next one is answered with what is stored.
  expect(told((await send(all.map(update), key)).body.items)).toEqual(expected);
  await other.query('COMMIT');
  const last = await send(all.map(update), key);
  expect(told(last.body.items)).toEqual(all.map(() => '200'));
  expect(await changes(all)).toEqual(all.map(() => 1));
  const { headers, body: replayed } = await send(all.map(update), key);
  expect([headers.get('Idempotency-Replayed'), replayed]).toEqual(['true', last.body]);
});

test('503 for a deletion that waits for a child of its shipment, and only for this', async () => {
  const all = await shipments(60);
  const agent = await createAgent(service.api, {}, all[30]);
  await other.query('SELECT FROM agents WHERE id = $1 FOR UPDATE', [agent.id]);
  const { body } = await send(all.map(({ id, eTag }) => ({ op: 'delete', id, ifMatch: eTag })));
  expect(told(body.items)).toEqual(all.map((_, index) => (index === 30 ? '503 UNAVAILABLE' : '204')));
});

test('a stale item keeps its 412 beside one that is in use', async () => {
  const [one, two, three] = await shipments(3);
  await hold([two?.id]);
  const { body } = await send([
    { ...update(one ?? {}), ifMatch: '0'.repeat(64) },
    update(two ?? {}),
    update(three ?? {}),
  ]);
  expect(told(body.items)).toEqual(['412 PRECONDITION_FAILED', '503 UNAVAILABLE', '200']);
});

test.each([true, false])('503 for a bulk of which no item could be written, atomic: %s', async (atomic) => {
  const all = await shipments(4);
  await hold(all.map(({ id }) => id));
  const refused = await send(all.map(update), {}, atomic);
  expectProblem(refused, 503, 'UNAVAILABLE');
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(await changes(all)).toEqual([0, 0, 0, 0]);
});
