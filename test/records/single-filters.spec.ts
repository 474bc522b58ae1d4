import fc from 'fast-check';
import { STATUSES } from '../../src/shipments/shipment-status.js';
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
  await sql.query(`INSERT INTO moves (id, move_code) SELECT gen_random_uuid(), 'AAAAAA'`);
  await sql.query(`
    INSERT INTO shipments (id, shipment_code, move_id, shipment_type, status, rejection_reason, delivery_date, customer_remarks, updated_at)
    SELECT ('00000000-0001-7000-a000-' || lpad(to_hex(n), 12, '0'))::uuid, 'AAAAAA-' || 9 + n, m.id, '${TYPES[0]}', status,
      CASE status WHEN 'REJECTED' THEN 'why not' END, CASE WHEN n % 5 > 0 THEN date '2026-01-01' + n % 40 END, concat_ws(' ', ${words.join()}),
      timestamptz '2026-01-01Z' + (n * 7919 % ${COUNT}) * interval '1 second'
    FROM moves m, generate_series(1, ${COUNT}) n, LATERAL (SELECT CASE ${status.join(' ')} END AS status)`);
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

async function idsOf(query: Record<string, string | number>): Promise<string[]> {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  return (await walk(service.api, `/v1/shipments?${parameters.toString()}`)).flat().map(({ id }) => String(id));
}

async function expected(q: string | undefined, statuses: readonly string[], type?: string): Promise<string[]> {
  const { rows } = await service.sql.query<{ id: string }>(
    `SELECT id FROM shipments WHERE ($1::text IS NULL OR customer_remarks ~ ('\\m' || $1)) AND status = ANY ($2) AND ($3::text IS NULL OR shipment_type = $3)
     ORDER BY id DESC`,
    [q, statuses, type],
  );
  return rows.map(({ id }) => id);
}

fc.configureGlobal({ seed: 20_261_118 });

const word = fc.constantFrom(...Object.keys(WORDS), undefined);
const statuses = fc.subarray([...STATUSES], { minLength: 2 });
const type = fc.constantFrom(undefined, ...TYPES);

test('a list or search in several statuses is the union of those in each, by small and by large pages', async () => {
  await fc.assert(
    fc.asyncProperty(word, statuses, type, fc.constantFrom(3, 20, 200), async (q, names, shipmentType, size) => {
      const all = await expected(q, names, shipmentType);
      const limit = all.length / size > MAX_PAGES ? 200 : size;
      const query = { limit, ...(q && { q }), ...(shipmentType && { shipmentType }) };
      const singles = await Promise.all(names.map((status) => idsOf({ ...query, limit: 200, status })));
      expect(singles.flat().sort().reverse()).toEqual(all);
      expect(await idsOf({ ...query, status: names.join() })).toEqual(all);
    }),
    { numRuns: repetitions(200, 10) },
  );
});

test.each(['updatedAt', '-updatedAt', 'deliveryDate', '-deliveryDate'])('so is a list by %s', async (sort) => {
  const names = ['APPROVED', 'DELIVERED', 'REJECTED'];
  const singles = await Promise.all(names.map((status) => idsOf({ sort, limit: 200, status })));
  const all = await idsOf({ sort, limit: 200, status: names.join() });
  const column = sort.endsWith('updatedAt') ? 'updated_at' : 'delivery_date';
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  const { rows } = await service.sql.query<{ id: string }>(
    `SELECT id FROM shipments WHERE status = ANY ($1) ORDER BY ${column} ${direction}, id ${direction}`,
    [names],
  );
  expect(all).toEqual(rows.map(({ id }) => id));
  expect(new Set(singles.flat())).toEqual(new Set(all));
  expect(singles.flat()).toHaveLength(all.length);
});
