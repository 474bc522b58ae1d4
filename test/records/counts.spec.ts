import { explain, PLAN_MODES, sentDuring } from '../support/database/explained.js';
import { withoutIndexes } from '../support/database/indexes.js';
import type { Answer, Json } from '../support/http/api.js';
import { nextOf } from '../support/http/paging.js';
import { expectProblem } from '../support/http/problem.js';
import { useService } from '../support/service/service.js';

/** More than a count may find, examine, and take from the index of words. `single-filters.spec.ts` compares smaller counts with plain SQL. */
const COUNT = 31_000;
const MOVE = '0199c3a0-8a10-7000-8000-00000000000a';

const service = useService();

beforeAll(async () => {
  const { sql } = service;
  await sql.query('SET session_replication_role = replica');
  await withoutIndexes(sql, async () => {
    await sql.query(`INSERT INTO moves (id, move_code) VALUES ('${MOVE}', 'AAAAAA')`);
    await sql.query(`
      INSERT INTO shipments (id, shipment_code, move_id, shipment_type, status, delivery_date, customer_remarks)
      SELECT ('00000000-0001-7000-a000-' || lpad(to_hex(n), 12, '0'))::uuid, 'AAAAAA-' || 9 + n,
        CASE WHEN n <= 700 THEN '${MOVE}' ELSE gen_random_uuid() END::uuid, CASE WHEN n % 1000 = 0 THEN 'RARE' ELSE 'HHG' END,
        CASE WHEN n <= 10000 THEN 'SUBMITTED' WHEN n <= 20001 THEN 'APPROVED' ELSE 'DELIVERED' END,
        date '2026-01-01' + n % 40, 'everywhere' || CASE WHEN n % 2 = 0 THEN ' even' ELSE '' END
      FROM generate_series(1, ${COUNT}) n`);
    await sql.query(
      `INSERT INTO search SELECT id, move_id, array_to_tsvector(string_to_array(customer_remarks, ' ')) FROM shipments`,
    );
  });
  await sql.query('SET session_replication_role = origin');
  await sql.query('VACUUM ANALYZE');
}, 120_000);

const list = (query: string): Promise<Answer<Json[]>> =>
  service.api.get<Json[]>(`/v1/shipments?count=true${query && `&${query}`}`);

async function countOf(query: string): Promise<string | null> {
  const { status, headers } = await list(query);
  expect(status).toBe(200);
  return headers.get('Waybill-Count');
}

test.each([
  ['all, of which there are more than a count finds', '', '10000+'],
  ['a status with as many as a count finds', 'status=SUBMITTED', '10000'],
  ['a status with one more', 'status=APPROVED', '10000+'],
  ['two statuses', 'status=SUBMITTED,APPROVED', '10000+'],
  ['a filter with an index', 'shipmentType=RARE', '31'],
  ['a range', 'deliveryDateFrom=2026-01-10&deliveryDateTo=2026-01-12', '2325'],
  [
    'a range and a filter on the way, with fewer in it than a count examines',
    'deliveryDateTo=2026-01-30&shipmentType=RARE',
    '31',
  ],
  ['a move', `moveID=AAAAAA&shipmentType=HHG`, '700'],
  ['nothing', 'status=REJECTED', '0'],
  ['an unknown move', 'moveID=ABCDEF', '0'],
  ['words that are in more than a search finds', 'q=everywhere', '10000+'],
  ['words that are in less, but more than a count finds', 'q=even', '10000+'],
  ['words in a move', `q=even&moveID=${MOVE}`, '350'],
  ['words with a filter', 'q=even&shipmentType=RARE', '31'],
])('counts %s', async (_, query, expected) => {
  expect(await countOf(`limit=2${query && `&${query}`}`)).toBe(expected);
});

/** 31,000 records change on the way; the count examines 30,000 of them. */
test('a + after a small number if it examined only a part of what may match', async () => {
  expect(await countOf('updatedSince=2020-01-01T00:00:00Z&status=SUBMITTED&shipmentType=RARE&limit=1')).toMatch(
    /^\d+\+$/,
  );
  expect(await countOf('q=everywhere&deliveryDateFrom=2026-02-05&limit=1')).toMatch(/^\d+\+$/);
});

test.each(['status=SUBMITTED', 'q=even&status=DELIVERED', 'deliveryDateFrom=2026-01-10&sort=-deliveryDate'])(
  'counts all pages of %s, whichever is requested, and the next link asks again',
  async (query) => {
    const first = await list(`limit=3&${query}`);
    const next = await service.api.get(nextOf(first.headers) ?? '');
    expect(next.headers.get('Waybill-Count')).toBe(first.headers.get('Waybill-Count'));
    expect(nextOf(next.headers)).toContain('count=true');
  },
);

test('a list that fits on one page is counted without a statement of its own', async () => {
  const sent = await sentDuring(() => list('shipmentType=RARE'));
  expect([sent.length, await countOf('shipmentType=RARE')]).toEqual([1, '31']);
});

test('counts moves and HEAD, too', async () => {
  const { headers } = await service.api.get('/v1/moves?count=true');
  expect(headers.get('Waybill-Count')).toBe('1');
  const head = await fetch(`${service.url}/v1/shipments?count=true&limit=1`, { method: 'HEAD' });
  expect(head.headers.get('Waybill-Count')).toBe('10000+');
});

test('no count without the parameter or with false', async () => {
  for (const query of ['', '?count=false']) {
    const { status, headers } = await service.api.get(`/v1/shipments${query}`);
    expect([status, headers.get('Waybill-Count')]).toEqual([200, null]);
  }
});

test('400 for another value, and with a file', async () => {
  expectProblem(await service.api.get('/v1/shipments?count=yes'), 400, 'INVALID_PARAMETER');
  expectProblem(await service.api.get('/v1/shipments?count=true', { Accept: 'text/csv' }), 400, 'INVALID_PARAMETER');
});

/** Each walk ends at its limit, and what the index of words finds is looked up. */
test.each([
  ['', 10_001],
  ['status=SUBMITTED,APPROVED,DELIVERED', 10_001],
  ['updatedSince=2020-01-01T00:00:00Z&status=SUBMITTED', 30_001],
  ['q=even', 20_001],
  ['q=everywhere', 20_001],
])('a count of ?%s reads at most %i rows at a time', async (query, most) => {
  const sent = await sentDuring(() => list(`limit=1${query && `&${query}`}`));
  const counting = sent.filter(({ text }) => /count\(\*\) <=|FROM walk$/.test(text));
  expect(counting).toHaveLength(1);
  for (const mode of PLAN_MODES) {
    for (const statement of counting) {
      const { rows } = await explain(service.sql, statement, mode);
      expect([mode, rows <= 2 * most]).toEqual([mode, true]);
    }
  }
});
