import fc from 'fast-check';
import { STATUSES } from '../../src/model/shipment-status.js';
import { walk } from '../support/http/paging.js';
import { repetitions } from '../support/repository/sweeps.js';
import { useService } from '../support/service/service.js';

/**
 * For every list and search, the union of the lists with one value of a filter is the list with all of them, page by page. A search reads
 * the beginning of each status before it asks the index of words: each of some statuses is longer than that beginning, has its matches in
 * another part of it, and alternates with others or not.
 */
const COUNT = 7000;
const TYPES = ['HHG', 'BOAT'];
const MOVES = ['0199c3a0-8a10-7000-8000-00000000000a', '0199c3a0-8a10-7000-8000-00000000000b'];
/** Ranges of shipments, newest last, with the statuses that alternate in each. */
const STRETCHES: readonly (readonly [until: number, ...statuses: string[]])[] = [
  [1000, ...STATUSES],
  [2400, 'APPROVED'],
  [4000, 'SUBMITTED', 'IN_TRANSIT'],
  [5500, 'DELIVERED'],
  [COUNT, 'APPROVED', 'SUBMITTED', 'DELIVERED'],
];
/** How often each word occurs: one shipment in so many, or those of one range. */
const WORDS = {
  everywhere: 'true',
  often: 'n % 3 = 0',
  seldom: 'n % 211 = 0',
  older: 'n < 2000',
  middle: 'n BETWEEN 4000 AND 4040',
  nowhere: 'false',
};

const service = useService();

beforeAll(async () => {
  const { sql } = service;
  const status = STRETCHES.map(
    ([until, ...names]) => `WHEN n <= ${until} THEN (ARRAY['${names.join(`','`)}'])[1 + n % ${names.length}]`,
  );
  const words = Object.entries(WORDS).map(([word, condition]) => `CASE WHEN ${condition} THEN '${word}' END`);
  await sql.query('SET session_replication_role = replica');
  await sql.query(`INSERT INTO moves (id, move_code) VALUES ('${MOVES[0]}', 'AAAAAA'), ('${MOVES[1]}', 'BBBBBB')`);
  await sql.query(`
    INSERT INTO shipments (id, shipment_code, move_id, shipment_type, status, rejection_reason, pickup_date, delivery_date, customer_remarks, updated_at)
    SELECT ('00000000-0001-7000-a000-' || lpad(to_hex(n), 12, '0'))::uuid, 'AAAAAA-' || 9 + n, m.id, '${TYPES[0]}', status,
      CASE status WHEN 'REJECTED' THEN 'why not' END, CASE WHEN n % 7 > 0 THEN date '2025-12-01' + n % 30 END, CASE WHEN n % 5 > 0 THEN date '2026-01-01' + n % 40 END, concat_ws(' ', ${words.join()}),
      timestamptz '2026-01-01Z' + (n * 7919 % ${COUNT}) * interval '1 second'
    FROM generate_series(1, ${COUNT}) n JOIN moves m ON m.id = CASE n % 3 WHEN 0 THEN '${MOVES[1]}' ELSE '${MOVES[0]}' END::uuid, LATERAL (SELECT CASE ${status.join(' ')} END AS status)`);
  await sql.query(
    `UPDATE shipments SET shipment_type = '${TYPES[1]}' WHERE customer_remarks LIKE '%seldom%' OR status = 'IN_TRANSIT'`,
  );
  await sql.query(
    `INSERT INTO search SELECT id, move_id, array_to_tsvector(string_to_array(customer_remarks, ' ')) FROM shipments`,
  );
  await sql.query('SET session_replication_role = origin');
  await sql.query('VACUUM ANALYZE shipments, search');
});

/** Each page costs a request, so small pages are read of short lists only. */
const MAX_PAGES = 40;

type Query = Readonly<Record<string, string>>;

const pathOf = (query: Query) => `/v1/shipments?${new URLSearchParams(query).toString()}`;

async function countOf(query: Query): Promise<number> {
  const { headers } = await service.api.get(pathOf({ ...query, count: 'true', limit: '1' }));
  return Number(headers.get('Waybill-Count'));
}

async function idsOf(query: Query): Promise<string[]> {
  return (await walk(service.api, pathOf(query))).flat().map(({ id }) => String(id));
}

/** The conditions of the filters besides the statuses, each with its value. */
const CONDITIONS: Readonly<Record<string, string>> = {
  q: `customer_remarks ~ ('\\m' || ?)`,
  shipmentType: 'shipment_type = ?',
  moveID: 'move_id = ?::uuid',
  updatedSince: 'updated_at >= ?::timestamptz',
  deliveryDateFrom: 'delivery_date >= ?::date',
  deliveryDateTo: 'delivery_date <= ?::date',
  pickupDateFrom: 'pickup_date >= ?::date',
  pickupDateTo: 'pickup_date <= ?::date',
};
const COLUMNS: Readonly<Record<string, string>> = {
  updatedSince: 'updated_at',
  deliveryDateFrom: 'delivery_date',
  deliveryDateTo: 'delivery_date',
  pickupDateFrom: 'pickup_date',
  pickupDateTo: 'pickup_date',
};

/** What plain SQL finds. */
async function expected(query: Query, statuses: readonly string[]): Promise<string[]> {
  const conditions = Object.keys(query).map((name, index) => CONDITIONS[name]?.replace('?', `$${index + 2}`));
  const column = 'q' in query ? undefined : Object.keys(query).flatMap((name) => COLUMNS[name] ?? [])[0];
  const { rows } = await service.sql.query<{ id: string }>(
    `SELECT id FROM shipments WHERE ${['status = ANY ($1)', ...conditions].join(' AND ')}
     ORDER BY ${column === undefined ? 'id DESC' : `${column}, id`}`,
    [statuses, ...Object.values(query)],
  );
  return rows.map(({ id }) => id);
}

fc.configureGlobal({ seed: 20_261_118 });

const optional = <T>(each: { [Name in keyof T]: fc.Arbitrary<T[Name]> }) => fc.record(each, { requiredKeys: [] });
const dayAfter = (day: string) =>
  fc.nat(42).map((days) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10));
const range = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.nat(COUNT).map((n) => ({ updatedSince: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString() })),
  },
  {
    weight: 2,
    arbitrary: optional({ deliveryDateFrom: dayAfter('2026-01-01'), deliveryDateTo: dayAfter('2026-01-01') }),
  },
  { weight: 1, arbitrary: optional({ pickupDateFrom: dayAfter('2025-12-01'), pickupDateTo: dayAfter('2025-12-01') }) },
);
const others = optional({
  q: fc.constantFrom(...Object.keys(WORDS)),
  shipmentType: fc.constantFrom(...TYPES),
  moveID: fc.constantFrom(...MOVES),
});
const statuses = fc.subarray([...STATUSES], { minLength: 2 });
/** All rejected shipments are in the beginning of their status, and with it they fill the page. Newer ones that are approved are not in theirs. */
const SHORT_BESIDE_LONG: [Query, Query, (typeof STATUSES)[number][], number] = [
  { q: 'older' },
  {},
  ['APPROVED', 'REJECTED'],
  200,
];

test('a list or search in several statuses is the union of those in each, by small and by large pages, with every filter', async () => {
  await fc.assert(
    fc.asyncProperty(others, range, statuses, fc.constantFrom(3, 20, 200), async (filters, within, names, size) => {
      const query = { ...filters, ...within } as Query;
      const all = await expected(query, names);
      const limit = String(all.length / size > MAX_PAGES ? 200 : size);
      const singles = await Promise.all(names.map((status) => idsOf({ ...query, limit: '200', status })));
      expect(singles.flat().toSorted()).toEqual(all.toSorted());
      expect(await idsOf({ ...query, limit, status: names.join() })).toEqual(all);
      expect(await countOf({ ...query, status: names.join() })).toBe(all.length);
      expect(await countOf(query)).toBe((await expected(query, STATUSES)).length);
    }),
    { numRuns: repetitions(200, 20), examples: [SHORT_BESIDE_LONG] },
  );
});

test.each(['text/csv', 'application/jsonl'])('so is a file of it as %s', async (accept) => {
  const idIn = (line: string) => (accept === 'text/csv' ? line.slice(0, 36) : String(JSON.parse(line).id));
  await fc.assert(
    fc.asyncProperty(others, range, statuses, async (filters, within, names) => {
      const query = { ...filters, ...within } as Query;
      const file = await fetch(service.url + pathOf({ ...query, status: names.join() }), {
        headers: { Accept: accept },
      });
      const lines = (await file.text())
        .trimEnd()
        .split(/\r?\n/)
        .slice(accept === 'text/csv' ? 1 : 0);
      expect(lines.filter((line) => line !== '').map(idIn)).toEqual(await expected(query, names));
    }),
    { numRuns: repetitions(100, 8) },
  );
});

test.each(['updatedAt', '-updatedAt', 'deliveryDate', '-deliveryDate', 'pickupDate', '-pickupDate'])(
  'so is a list by %s',
  async (sort) => {
    const names = ['APPROVED', 'DELIVERED', 'REJECTED'];
    const singles = await Promise.all(names.map((status) => idsOf({ sort, limit: '200', status })));
    const all = await idsOf({ sort, limit: '200', status: names.join() });
    const column = sort.replace('-', '').replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`);
    const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
    const { rows } = await service.sql.query<{ id: string }>(
      `SELECT id FROM shipments WHERE status = ANY ($1) ORDER BY ${column} ${direction}, id ${direction}`,
      [names],
    );
    expect(all).toEqual(rows.map(({ id }) => id));
    expect(new Set(singles.flat())).toEqual(new Set(all));
    expect(singles.flat()).toHaveLength(all.length);
  },
);
