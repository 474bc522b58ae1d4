import { cursorOf } from '../../src/records/paging.js';
import { measured } from '../../tools/evidence/measured.mjs';
import type { Answer, Json } from '../support/http/api.js';
import { nextOf } from '../support/http/paging.js';
import { explain, PLAN_MODES, sentDuring } from '../support/database/explained.js';
import { withoutIndexes } from '../support/database/indexes.js';
import { ADDRESS, createAgent, createMove, createService, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

/**
 * The cost of a request must not depend on the size of the tables: a list reads its page and the rows that its filters skip, any other
 * request a few rows. The table is large enough to tell a statement that reads all of it from one that does not, and its layout is the
 * worst case: rare values are old, and the older half was changed recently.
 */
const COUNT = Number(process.env.TEST_ROWS ?? 30_000);
const MOVES = Math.ceil(COUNT / 3);
const RARE = 90;
const LIMIT = 20;
/** Rows that a statement may read beyond its page: the planner may also sort a range with so few records. */
const FEW = 100;
/** Pages of the catalogs that the first call of a function in a connection reads. */
const CATALOGS = 150;
/** A list whose filters pass over more than that is slow, as documented, and not tried. */
const MAX_WALKED = 30_000;

const service = useService();

interface Row {
  readonly id: string;
  readonly status: string;
  readonly type: string;
  readonly day: string | null;
  readonly updated: string;
}
let shipments: Row[];

beforeAll(async () => {
  measured({ figures: { shipments: COUNT } });
  const { sql } = service;
  await sql.query(`CREATE FUNCTION pg_temp.id_of(kind text, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
    RETURN (lpad(to_hex(n), 12, '0') || '7000a' || kind || lpad(to_hex(n), 14, '0'))::uuid`);
  await sql.query(`CREATE FUNCTION pg_temp.change_of(n bigint, newest bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE
    RETURN CASE WHEN n > newest / 2 THEN '2026-01-01Z' ELSE '2026-03-01Z'::timestamptz + n % 1000 * interval '30 minutes' END`);
  await sql.query('SET session_replication_role = replica');
  await withoutIndexes(sql, insertRows);
  await sql.query('SET session_replication_role = origin');
  await sql.query('VACUUM ANALYZE');
  const { rows } = await sql.query<Row>(`
    SELECT id, status, shipment_type AS type, delivery_date::text AS day, iso_ms(updated_at) AS updated
    FROM shipments`);
  shipments = rows;
}, 300_000);

async function insertRows(): Promise<void> {
  const { sql } = service;
  await sql.query(`INSERT INTO moves (id, move_code, order_id, updated_at)
    SELECT pg_temp.id_of('0', n), translate(lpad(n::text, 6, '0'), '01', 'AB'), 'ORD-' || n, pg_temp.change_of(n, ${MOVES})
    FROM generate_series(1, ${MOVES}) n`);
  await sql.query(`
    INSERT INTO shipments (id, shipment_code, move_id, shipment_type, status, rejection_reason, pickup_date, delivery_date, updated_at)
    SELECT pg_temp.id_of('1', n), translate(lpad((1 + n / 4)::text, 6, '0'), '01', 'AB') || '-' || 10 + n % 4,
      pg_temp.id_of('0', 1 + n / 4), CASE WHEN rare AND n % 2 = 0 THEN 'RARE' ELSE 'HHG' END,
      status, CASE status WHEN 'REJECTED' THEN 'why not' END, CASE WHEN NOT rare THEN date '2025-12-01' + n % 30 END,
      CASE WHEN rare THEN date '2020-01-01' + n % 10 WHEN n % 50 > 0 THEN date '2026-01-01' + n % 60 END,
      CASE WHEN rare AND n % 3 = 1 THEN timestamptz '2026-06-01Z' ELSE pg_temp.change_of(n, ${COUNT}) END
    FROM generate_series(1, ${COUNT}) n, LATERAL (SELECT n <= ${RARE} AS rare),
      LATERAL (SELECT CASE WHEN rare THEN (ARRAY['REJECTED', 'CANCELLATION_REQUESTED', 'IN_TRANSIT'])[1 + n % 3]
        ELSE (ARRAY['DELIVERED', 'APPROVED'])[1 + n % 2] END AS status)`);
  await sql.query(`INSERT INTO agents (id, shipment_id, agent_type, first_name, phone)
    SELECT pg_temp.id_of('2', n), pg_temp.id_of('1', n), 'RELEASING_AGENT', 'Ada', '1' FROM generate_series(1, ${COUNT}) n`);
  await sql.query(`INSERT INTO services (id, shipment_id, code)
    SELECT pg_temp.id_of('3', n), pg_temp.id_of('1', n), 'PACK' FROM generate_series(1, ${COUNT}) n`);
  await sql.query(`
    INSERT INTO history (root_id, record_kind, record_id, type, e_tag, record, changed_by, changed_at)
    SELECT id, 'shipment', id, 'created', decode(etag_of(updated_at), 'hex'), '{}', 'seed', now() FROM shipments`);
  await sql.query(`
    INSERT INTO idempotency_keys (caller, method, path, key, fingerprint, status, headers)
    SELECT 'somebody', 'POST', '/v1/shipments', n, '', 201, '{}' FROM generate_series(1, ${COUNT}) n`);
}

/** The statements of a request that read more than so much, by either kind of plan. */
async function excessOf(work: () => Promise<unknown>, most = { rows: 2 * FEW, pages: 10 * FEW }): Promise<string[]> {
  const excess: string[] = [];
  for (const sent of await sentDuring(work)) {
    for (const mode of PLAN_MODES) {
      const { rows, readWhole, pages } = await explain(service.sql, sent, mode);
      if (readWhole.length === 0 && rows <= most.rows && pages <= most.pages) continue;
      excess.push(`${rows} rows, ${pages} pages, ${readWhole.join()} with ${mode} by ${sent.text}`);
    }
  }
  return excess;
}

const ALL_STATUSES = ['REJECTED', 'CANCELLATION_REQUESTED', 'IN_TRANSIT', 'DELIVERED', 'APPROVED'];
const STATUSES = [[], ['REJECTED'], ['REJECTED', 'CANCELLATION_REQUESTED'], ['DELIVERED', 'APPROVED']];
const TYPES = [undefined, 'RARE', 'HHG'];
const ORDERS: readonly Order[] = [
  { sort: '-createdAt' },
  { sort: 'createdAt' },
  { sort: 'updatedAt' },
  { sort: 'updatedAt', updatedSince: '2026-06-01T00:00:00.000Z' },
  { sort: 'updatedAt', updatedSince: '2026-03-05T06:00:00.000Z' },
  { sort: '-updatedAt', updatedSince: '2020-01-01T00:00:00.000Z' },
  { sort: 'deliveryDate' },
  { sort: '-deliveryDate' },
  { sort: 'deliveryDate', deliveryDateFrom: '2020-01-02', deliveryDateTo: '2020-01-05' },
  { sort: 'deliveryDate', deliveryDateFrom: '2026-02-01' },
  { sort: '-deliveryDate', deliveryDateFrom: '2020-01-05', deliveryDateTo: '2026-01-20' },
];

interface Order {
  readonly sort: string;
  readonly updatedSince?: string;
  readonly deliveryDateFrom?: string;
  readonly deliveryDateTo?: string;
}
interface Combination {
  readonly order: Order;
  readonly statuses: readonly string[];
  readonly type: string | undefined;
}
const COMBINATIONS = ORDERS.flatMap((order) =>
  STATUSES.flatMap((statuses) => TYPES.map((type): Combination => ({ order, statuses, type }))),
);

function queryOf({ order, statuses, type }: Combination): string {
  const query = new URLSearchParams({ ...order, limit: String(LIMIT), ...(type && { shipmentType: type }) });
  for (const status of statuses) query.append('status', status);
  return query.toString();
}

/** The key of a record in an order, as a cursor has it. */
function keyOf({ sort }: Order, { id, updated, day }: Row): string {
  if (sort.endsWith('createdAt')) return id;
  return sort.endsWith('updatedAt') ? `${updated} ${id}` : `${day ?? 'infinity'} ${id}`;
}

const sorted = new Map<string, Row[]>();
function inOrder({ sort }: Order): Row[] {
  const known = sorted.get(sort);
  if (known !== undefined) return known;
  const keyed = shipments.map((row) => ({ row, key: keyOf({ sort }, row) }));
  const ascending = keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ row }) => row);
  const rows = sort.startsWith('-') ? ascending.reverse() : ascending;
  sorted.set(sort, rows);
  return rows;
}

function isInRange({ updatedSince = '', deliveryDateFrom, deliveryDateTo }: Order, { updated, day }: Row): boolean {
  if (deliveryDateFrom === undefined && deliveryDateTo === undefined) return updated >= updatedSince;
  return day !== null && day >= (deliveryDateFrom ?? '') && day <= (deliveryDateTo ?? '9999');
}

const ranges = new Map<Order, Row[]>();
function rangeOf(order: Order): Row[] {
  const range = ranges.get(order) ?? inOrder(order).filter((row) => isInRange(order, row));
  ranges.set(order, range);
  return range;
}

type Condition = (row: Row) => boolean;

/**
 * The ranges that a list scans, as documented: the records of each status separately, those of one type, or all of them. A list by date is
 * always scanned by status.
 */
function walksOf({ order, statuses, type }: Combination): Condition[] {
  const walked = order.sort.endsWith('deliveryDate') && statuses.length === 0 ? ALL_STATUSES : statuses;
  if (!order.sort.endsWith('updatedAt') && walked.length > 0) {
    return walked.map((status) => (row) => row.status === status);
  }
  return [order.sort.endsWith('createdAt') && type !== undefined ? (row) => row.type === type : () => true];
}

/** The records of a page and one more, and how many of its walk are read for them; beyond what is tried nobody has to count. */
function walk(rows: readonly Row[], beginning: number, isWalked: Condition, passes: Condition): [string[], number] {
  const found: string[] = [];
  let read = 0;
  for (let at = beginning; at < rows.length && found.length <= LIMIT && read <= MAX_WALKED; at += 1) {
    const row = rows[at];
    if (row === undefined || !isWalked(row)) continue;
    read += 1;
    if (passes(row)) found.push(row.id);
  }
  return [found, read];
}

test.each(COMBINATIONS.map((each) => [queryOf(each), each] as const))(
  'shipments by %s: from the beginning, the middle and near the end, at the cost of the walk',
  async (query, combination) => {
    const { order, statuses, type } = combination;
    const passes = (row: Row) =>
      (statuses.length === 0 || statuses.includes(row.status)) && (type === undefined || row.type === type);
    const range = rangeOf(order);
    for (const beginning of [0, Math.floor(range.length / 2), Math.max(range.length - 2 * LIMIT, 0)]) {
      const before = range[beginning - 1];
      const cursor = before === undefined ? '' : `&cursor=${cursorOf(`${order.sort} ${keyOf(order, before)}`)}`;
      const read = walksOf(combination)
        .map((isWalked) => walk(range, beginning, isWalked, passes)[1])
        .reduce((sum, length) => sum + length, 0);
      if (read > MAX_WALKED) continue;
      const [expected] = walk(range, beginning, passes, passes);
      let answer: Answer<Json[]> | undefined;
      const excess = await excessOf(
        async () => {
          answer = await service.api.get<Json[]>(`/v1/shipments?${query}${cursor}`);
        },
        // A page of the table for each record that is read, and those of the index, each with more than a hundred of them.
        { rows: FEW + read, pages: CATALOGS + FEW + read + Math.ceil(read / 100) },
      );
      expect(answer?.body.map(({ id }) => id)).toEqual(expected.slice(0, LIMIT));
      expect(answer && nextOf(answer.headers) !== undefined).toBe(expected.length > LIMIT);
      expect(excess).toEqual([]);
    }
  },
);

/** It may read a table that is smaller than that as a whole. */
test.each([
  '',
  '&status=DELIVERED,APPROVED',
  '&updatedSince=2020-01-01T00:00:00Z&shipmentType=RARE',
  '&deliveryDateTo=2026-02-01&shipmentType=RARE',
])('a count of %s ends after 30,000 rows', async (query) => {
  const path = `/v1/shipments?count=true&limit=1${query}`;
  for (const sent of await sentDuring(() => service.api.get(path))) {
    for (const mode of PLAN_MODES) {
      const { rows } = await explain(service.sql, sent, mode);
      expect([sent.text, rows <= 30_001 + FEW]).toEqual([sent.text, true]);
    }
  }
});

/** One of the seeded shipments, and one that came by the API, with all that can belong to one. */
const SEEDED = '00000000-3a98-7000-a100-000000003a98';
async function whole(): Promise<Json> {
  const shipment = await createShipment(service.api, { pickupAddress: ADDRESS });
  await createAgent(service.api, {}, shipment);
  await createService(service.api, {}, shipment);
  return shipment;
}

const LISTS = [
  '/v1/shipments?expand=services,agents,move',
  `/v1/shipments?cursor=${cursorOf(`-createdAt ${SEEDED}`)}`,
  ...[
    '',
    '&status=DELIVERED',
    '&updatedSince=2026-01-01T00:00:00Z',
    '&deliveryDateTo=2026-02-01',
    '&sort=updatedAt',
  ].map((query) => `/v1/shipments?moveID=00000000-0001-7000-a000-000000000001${query}`),
  `/v1/shipments/${SEEDED}/agents`,
  `/v1/shipments/${SEEDED}/services`,
  '/v1/moves?expand=shipments',
  '/v1/moves?orderID=ORD-77',
  '/v1/moves?orderID=ORD-77&updatedSince=2020-01-01T00:00:00Z',
  '/v1/moves?updatedSince=2100-01-01T00:00:00Z',
  '/v1/moves?updatedSince=2026-03-05T06:00:00Z',
  `/v1/moves?sort=-updatedAt&cursor=${cursorOf('-updatedAt 2026-03-05T06:00:00.000Z 00000000-0010-7000-a000-000000000010')}`,
  '/v1/moves/AAAABB?expand=shipments',
  `/v1/shipments/${SEEDED}?expand=services,agents,move`,
];

test.each(LISTS)('GET %s at the cost of its answer', async (path) => {
  expect(await excessOf(async () => expect((await service.api.get(path)).status).toBe(200))).toEqual([]);
});

const WRITES: [string, (shipment: Json) => Promise<unknown>][] = [
  ['history', ({ id }) => service.api.get(`/v1/shipments/${id}/history?limit=1`)],
  ['the rest of a history', ({ id }) => service.api.get(`/v1/shipments/${id}/history?cursor=${cursorOf('999999999')}`)],
  ['a past version', ({ id, eTag }) => service.api.get(`/v1/shipments/${id}?version=${eTag}`)],
  [
    'PATCH',
    ({ id, eTag }) => service.api.patch(`/v1/shipments/${id}?expand=agents`, eTag, { customerRemarks: 'Ring' }),
  ],
  ['PUT', ({ id, eTag }) => service.api.put(`/v1/shipments/${id}`, eTag, { shipmentType: 'HHG' })],
  [
    'a change of status',
    ({ id, eTag }) => service.api.patch(`/prime/v1/shipments/${id}/updateStatus`, eTag, { status: 'APPROVED' }),
  ],
  [
    'PUT of an address',
    ({ id, eTag, pickupAddress }) =>
      service.api.put(`/v1/mto-shipment/${id}/address/${pickupAddress.id}`, eTag, ADDRESS),
  ],
  [
    'a conflict and its explanation',
    async ({ id, eTag }) => {
      await service.api.patch(`/v1/shipments/${id}`, eTag, { customerRemarks: 'Ring' });
      expect((await service.api.patch(`/v1/shipments/${id}`, eTag, {})).body.changes).toHaveLength(1);
    },
  ],
  [
    'a repeated POST',
    async () => {
      const key = { 'Idempotency-Key': 'the same' };
      for (const _ of [1, 2]) await service.api.post('/v1/shipments', { shipmentType: 'HHG' }, key);
    },
  ],
  ['POST into a move', async () => createShipment(service.api, { moveID: (await createMove(service.api)).id })],
  ['DELETE', ({ id }) => service.api.delete(`/v1/shipments/${id}`)],
  [
    'a bulk',
    async ({ id, eTag }) => {
      const other = await createShipment(service.api);
      const patch = { customerRemarks: 'Ring' };
      const items = [
        { op: 'update', id, ifMatch: eTag, patch },
        { op: 'update', id: other.id, ifMatch: other.eTag, patch },
      ];
      expect((await service.api.post('/v1/shipments/bulk', { items })).status).toBe(200);
    },
  ],
  [
    'the conflicts of a bulk and their explanations',
    async ({ id, eTag }) => {
      const other = await createShipment(service.api);
      const items = [{ id, eTag }, other].map((each) => ({ op: 'update', id: each.id, ifMatch: each.eTag, patch: {} }));
      for (const item of items) await service.api.patch(`/v1/shipments/${item.id}`, item.ifMatch, { actualWeight: 1 });
      const { body } = await service.api.post('/v1/shipments/bulk', { items });
      expect(body.items.map(({ problem }: Json) => problem.changes.length)).toEqual([1, 1]);
    },
  ],
];

test.each(WRITES)('%s at the cost of its answer', async (_, request) => {
  const shipment = await whole();
  expect(await excessOf(() => request(shipment))).toEqual([]);
});

test('a conflict is explained at the same cost however many versions the record has', async () => {
  const { id, eTag } = await whole();
  const { sql } = service;
  await sql.query('SET session_replication_role = replica');
  await sql.query(
    `INSERT INTO history (root_id, record_kind, record_id, type, e_tag, record, changed_by, changed_at)
    SELECT $1, 'shipment', $1, 'updated', sha256(n::text::bytea), '{}', 'seed', now() + n * interval '1 ms' - interval '1 minute'
    FROM generate_series(1, 10000) n`,
    [id],
  );
  await sql.query('SET session_replication_role = origin');
  await sql.query('ANALYZE history');
  const patch = (ifMatch: string) => service.api.patch(`/v1/shipments/${id}`, ifMatch, { customerRemarks: 'Ring' });
  expect((await patch(eTag)).status).toBe(200);
  expect(await excessOf(async () => expect((await patch(eTag)).status).toBe(412))).toEqual([]);
});

test('cascades of a deletion use indexes too', async () => {
  for (const [table, column] of [
    ['shipments', 'move_id'],
    ['agents', 'shipment_id'],
    ['services', 'shipment_id'],
  ]) {
    const text = `DELETE FROM ${table} WHERE ${column} = $1`;
    const { readWhole } = await explain(service.sql, { text, values: [SEEDED] }, 'force_generic_plan');
    expect(readWhole).toEqual([]);
  }
});

test('no index leads PostgreSQL to walk the history of all records for the newest entries of one', async () => {
  const { rows } = await service.sql.query<{ indexdef: string }>(
    `SELECT indexdef FROM pg_indexes WHERE tablename = 'history' AND indexdef LIKE '%("position"%'`,
  );
  expect(rows).toEqual([{ indexdef: expect.stringContaining('((("position" + 0)))') as string }]);
});
