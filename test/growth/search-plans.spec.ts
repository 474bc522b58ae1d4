import { cursorOf } from '../../src/records/paging.js';
import { explain, PLAN_MODES, sentDuring } from '../support/database/explained.js';
import { withoutIndexes } from '../support/database/indexes.js';
import type { Json } from '../support/http/api.js';
import { useService } from '../support/service/service.js';

/**
 * The cost of a search and of the overview must not depend on the size of the tables. The words are the worst case: some are in every
 * shipment, some in few, one only in the older half, two never in the same one. `npm run campaign -- growth` does the same with a million rows.
 */
const COUNT = Number(process.env.TEST_ROWS ?? 30_000);
const MOVES = Math.ceil(COUNT / 3);

const service = useService();

beforeAll(async () => {
  const { sql } = service;
  await sql.query(`CREATE FUNCTION pg_temp.id_of(kind text, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
    RETURN (lpad(to_hex(n), 12, '0') || '7000a' || kind || lpad(to_hex(n), 14, '0'))::uuid`);
  await sql.query(`CREATE FUNCTION pg_temp.code_of(n bigint) RETURNS text LANGUAGE sql IMMUTABLE
    RETURN translate(upper(lpad(to_hex(n), 6, '0')), '01', 'GH')`);
  await sql.query('SET session_replication_role = replica');
  await withoutIndexes(sql, async () => {
    await sql.query(`INSERT INTO moves (id, move_code, order_id)
      SELECT pg_temp.id_of('0', n), pg_temp.code_of(n), 'ORD-' || n FROM generate_series(1, ${MOVES}) n`);
    await sql.query(`INSERT INTO shipments (id, shipment_code, move_id, shipment_type, status, pickup_date, delivery_date)
      SELECT pg_temp.id_of('1', n), pg_temp.code_of(1 + n / 3) || '-' || 10 + n % 3, pg_temp.id_of('0', 1 + n / 3), 'HHG',
        (ARRAY['DELIVERED', 'APPROVED', 'SUBMITTED'])[1 + n % 3], date '2026-01-01' + (n % 100)::int, date '2026-01-08' + (n % 100)::int
      FROM generate_series(1, ${COUNT} - 3) n`);
    await sql.query(`INSERT INTO search SELECT id, id, search_words(concat_ws(' ', move_code, order_id)) FROM moves`);
    await sql.query(`INSERT INTO search (id, move_id, words)
      SELECT pg_temp.id_of('1', n), pg_temp.id_of('0', 1 + n / 3), array_to_tsvector(ARRAY[
        'common', lower(pg_temp.code_of(1 + n / 3)), 'w' || n % 997, CASE WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END,
        CASE WHEN n < ${COUNT / 2} THEN 'older' ELSE 'newer' END, CASE WHEN n < 20 THEN 'rare' ELSE 'usual' END
      ]) || search_words('ORD-' || 1 + n / 3)
      FROM generate_series(1, ${COUNT} - 3) n`);
  });
  await sql.query('SET session_replication_role = origin');
  await sql.query('VACUUM ANALYZE');
}, 600_000);

/** The most rows and pages that the statements of a request read, by either kind of plan, and tables that were read whole. */
async function costOf(path: string): Promise<{ rows: number; pages: number; readWhole: string[]; found: number }> {
  let found = 0;
  const sent = await sentDuring(async () => {
    const { status, body } = await service.api.get<Json[]>(path);
    expect(status).toBe(200);
    found = body.length;
  });
  const costs = [];
  for (const statement of sent) {
    for (const mode of PLAN_MODES) costs.push(await explain(service.sql, statement, mode));
  }
  return {
    rows: Math.max(...costs.map(({ rows }) => rows)),
    pages: Math.max(...costs.map(({ pages }) => pages)),
    readWhole: costs.flatMap(({ readWhole }) => readWhole),
    found,
  };
}

/** Limits for each kind of search: a short scan; all matches in the index of words; or a long scan, to which any filter can lead. */
const SHORT = { rows: 2500, pages: 12_000 };
const FOUND = { rows: 25_000, pages: 130_000 };
/** Before the long walk the index of words reads one small entry for each record that has them, whatever else is bounded. */
const LONG = { rows: Math.max(70_000, COUNT), pages: 300_000 };

const FILTERS = [
  '',
  '&status=APPROVED',
  '&status=SUBMITTED,APPROVED',
  '&status=REJECTED',
  '&shipmentType=HHG',
  '&shipmentType=NONE',
  '&deliveryDateFrom=2026-02-01&deliveryDateTo=2026-03-01',
  '&pickupDateTo=2026-01-03',
  '&updatedSince=2020-01-01T00:00:00Z',
  '&moveID=00000000-0007-7000-a000-000000000007',
  `&cursor=${cursorOf('-createdAt 00000000-1000-7000-a100-000000001000')}`,
];

describe.each([
  ['common', 'common', SHORT],
  ['two common', 'com even', SHORT],
  ['rare', 'rare', SHORT],
  ['absent', 'absent', SHORT],
  ['rare and common', 'rare common', FOUND],
  ['of one in 997', 'w42', FOUND],
  ['common among older shipments', 'older', LONG],
  ['never together', 'even odd', FOUND],
])('words that are %s', (_, q, most) => {
  test.each(FILTERS)(`bounded with q and %s`, async (filter) => {
    const bound = filter === '' ? most : LONG;
    const { rows, pages, readWhole } = await costOf(`/v1/shipments?q=${encodeURIComponent(q)}&limit=20${filter}`);
    expect({ rows: Math.min(rows, bound.rows), pages: Math.min(pages, bound.pages), readWhole }).toEqual({
      rows,
      pages,
      readWhole: [],
    });
  });

  test('bounded for moves', async () => {
    const { rows, readWhole } = await costOf(`/v1/moves?q=${encodeURIComponent(q)}&limit=20`);
    expect([rows <= 2 * most.rows + FOUND.rows, readWhole]).toEqual([true, []]);
  });
});

test('what is common among older shipments is found page by page', async () => {
  const seen = new Set<string>();
  let path = '/v1/shipments?q=older&limit=200';
  for (let page = 0; page < 30 + COUNT / 30_000 && path !== ''; page += 1) {
    const { body, headers } = await service.api.get<Json[]>(path);
    for (const { id } of body) {
      expect(seen.has(id)).toBe(false);
      seen.add(id);
    }
    path = /<([^>]+)>/.exec(headers.get('Link') ?? '')?.[1] ?? '';
    if (seen.size >= 400) break;
  }
  const newest = [...seen].slice(0, 400);
  expect(newest.length).toBeGreaterThanOrEqual(400);
  expect(newest).toEqual([...newest].sort().reverse());
});

test('the end of a code is looked up in an index', async () => {
  for (const mode of PLAN_MODES) {
    const statement = { text: `SELECT search_query_with_codes('BBB-10')`, values: [] };
    expect((await explain(service.sql, statement, mode)).pages).toBeLessThan(50);
  }
});

test('the overview is bounded', async () => {
  const { rows, readWhole } = await costOf('/v1/overview?today=2026-02-01&from=2026-01-01&to=2026-04-02');
  expect(readWhole).toEqual([]);
  // Each number stops at its limit for each status.
  expect(rows).toBeLessThanOrEqual(92 * 6 * 1001);
});
