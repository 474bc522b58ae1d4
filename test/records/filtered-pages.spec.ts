// Not through PgBouncer: it only reads, with statements that other specs send through it.
import fc from 'fast-check';
import { STATUSES } from '../../src/model/shipment-status.js';
import { walk } from '../support/http/paging.js';
import { repetitions } from '../support/repository/sweeps.js';
import { useService } from '../support/service/service.js';

/**
 * Lists in any order by any combination of filters, read from the first page to the last, against the same filters and order in plain
 * SQL. Many records share a delivery date or the moment of their last change, and some have no delivery date.
 */
const COUNT = 120;
const DAYS = ['1900-01-01', '1999-12-31', '2000-01-01', '2024-03-20', '2199-12-31'];
const SPREAD = 80;
const TYPES = ['HHG', 'BOAT'];

const service = useService();

beforeAll(async () => {
  const { sql } = service;
  await sql.query('SET session_replication_role = replica');
  await sql.query('SELECT setseed(0.5)');
  await sql.query(
    `INSERT INTO shipments (id, shipment_code, move_id, shipment_type, status, rejection_reason, delivery_date, updated_at)
     SELECT gen_random_uuid(), 'AAAAAA-' || 9 + n, gen_random_uuid(), type, status, CASE status WHEN 'REJECTED' THEN 'why not' END, day,
       date_trunc('hour', timestamptz '2026-01-01Z' + random() ^ 3 * interval '100 days')
     FROM generate_series(1, $1::int) n,
       LATERAL (SELECT ($2::text[])[1 + floor(random() ^ 3 * cardinality($2) + n * 0)] AS type),
       LATERAL (SELECT ($3::text[])[1 + floor(random() ^ 3 * cardinality($3) + n * 0)] AS status),
       LATERAL (SELECT CASE WHEN random() < 0.9 THEN ($4::date[])[1 + floor(sqrt(random()) * 4 + n * 0)] + floor(random() * $5)::int END AS day)`,
    [COUNT, TYPES, STATUSES, DAYS.slice(0, -1), SPREAD],
  );
  await sql.query(`UPDATE shipments SET delivery_date = '2199-12-31' WHERE id IN (SELECT id FROM shipments LIMIT 3)`);
  await sql.query(
    `INSERT INTO moves (id, move_code, updated_at)
     SELECT gen_random_uuid(), translate(lpad(n::text, 6, '0'), '01', 'AB'),
       date_trunc('hour', timestamptz '2026-01-01Z' + random() ^ 3 * interval '100 days')
     FROM generate_series(1, $1::int) n`,
    [COUNT],
  );
  await sql.query('SET session_replication_role = origin');
});

const day = fc
  .tuple(fc.constantFrom(...DAYS), fc.integer({ min: 0, max: SPREAD }))
  .map(([first, after]) => new Date(Date.parse(first) + after * 86_400_000).toISOString().slice(0, 10))
  .filter((date) => date < '2200');

const within = (min: string, max: string) =>
  fc.date({ min: new Date(min), max: new Date(max), noInvalidDate: true }).map((date) => date.toISOString());
const moment = fc.oneof(within('2025-12-20', '2026-04-20'), within('2026-01-01', '2026-01-06'));

const sortBy = (column: string) => fc.constantFrom(column, `-${column}`);
/** A range has the order of its own column, and may turn it round. */
const order = fc.oneof(
  optional({ sort: sortBy('createdAt') }),
  optional({ sort: sortBy('updatedAt'), updatedSince: moment }),
  optional({ sort: sortBy('deliveryDate'), deliveryDateFrom: day, deliveryDateTo: day }),
) as fc.Arbitrary<Order>;
const filters = optional({
  status: fc.subarray(STATUSES, { minLength: 1 }),
  shipmentType: fc.constantFrom(...TYPES, 'hhg', 'NONE'),
});
const moveOrder = fc.oneof(
  optional({ sort: sortBy('createdAt') }),
  optional({ sort: sortBy('updatedAt'), updatedSince: moment }),
) as fc.Arbitrary<Order>;
const limits = fc.constantFrom(7, 15, 50);

interface Order {
  readonly sort?: string;
  readonly updatedSince?: string;
  readonly deliveryDateFrom?: string;
  readonly deliveryDateTo?: string;
}

function optional<T>(each: { [Name in keyof T]: fc.Arbitrary<T[Name]> }) {
  return fc.record(each, { requiredKeys: [] });
}

const COLUMNS: Record<string, string> = { createdAt: 'id', updatedAt: 'updated_at', deliveryDate: 'delivery_date' };

function orderBy({ sort, updatedSince, deliveryDateFrom, deliveryDateTo }: Order): string {
  const byRange = updatedSince ? 'updatedAt' : (deliveryDateFrom ?? deliveryDateTo) ? 'deliveryDate' : '-createdAt';
  const [, minus, column = ''] = /^(-?)(.*)$/.exec(sort ?? byRange) ?? [];
  const direction = minus ? 'DESC' : 'ASC';
  return `ORDER BY ${COLUMNS[column]} ${direction}, id ${direction}`;
}

async function idsOf(sql: string, values: readonly unknown[]): Promise<string[]> {
  const { rows } = await service.sql.query<{ id: string }>(sql, [...values]);
  return rows.map(({ id }) => id);
}

// The same queries each time, so that this spec says the same about the same sources.
fc.configureGlobal({ seed: 20_261_115 });

/** How many of the lists had several pages. */
let longLists = 0;

async function expectPages(path: string, limit: number, ids: readonly string[]): Promise<void> {
  const pages = await walk(service.api, path);
  if (pages.length > 1) longLists += 1;
  expect(pages.flat().map(({ id }) => id)).toEqual(ids);
  expect(pages.slice(0, -1).filter(({ length }) => length !== limit)).toEqual([]);
}

test('shipments are those that plain SQL finds, in the same order, page after page', async () => {
  await fc.assert(
    fc.asyncProperty(order, filters, limits, async (asked, { status = [], shipmentType }, limit) => {
      const parameters = new URLSearchParams({ limit: String(limit), ...asked, ...(shipmentType && { shipmentType }) });
      for (const each of status) parameters.append('status', each);
      const expected = await idsOf(
        `SELECT id FROM shipments WHERE ($1::text[] = '{}' OR status = ANY($1)) AND ($2::text IS NULL OR shipment_type = $2)
           AND ($3::date IS NULL OR delivery_date >= $3) AND ($4::date IS NULL OR delivery_date <= $4)
           AND ($5::timestamptz IS NULL OR updated_at >= $5) ${orderBy(asked)}`,
        [status, shipmentType, asked.deliveryDateFrom, asked.deliveryDateTo, asked.updatedSince],
      );
      await expectPages(`/v1/shipments?${parameters.toString()}`, limit, expected);
    }),
    { numRuns: repetitions(100, 50) },
  );
});

test('so are moves', async () => {
  await fc.assert(
    fc.asyncProperty(moveOrder, limits, async (asked, limit) => {
      const expected = await idsOf(
        `SELECT id FROM moves WHERE ($1::timestamptz IS NULL OR updated_at >= $1) ${orderBy(asked)}`,
        [asked.updatedSince],
      );
      const parameters = new URLSearchParams({ limit: String(limit), ...asked });
      await expectPages(`/v1/moves?${parameters.toString()}`, limit, expected);
    }),
    { numRuns: repetitions(30, 15) },
  );
});

test('lists of several pages were among them', () => {
  expect(longLists).toBeGreaterThan(20);
});
