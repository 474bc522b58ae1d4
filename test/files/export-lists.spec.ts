// Not through PgBouncer: it only reads, with statements that other specs send through it.
import { columnsOf, type FileKind } from '../../src/files/columns.js';
import { MOVE_FILES } from '../../src/moves/dto/move-fields.js';
import { SHIPMENT_FILES } from '../../src/shipments/dto/shipment-fields.js';
import { STATUSES } from '../../src/model/shipment-status.js';
import { CSV, JSON_LINES, recordsOf, textOf, valuesIn, valuesOf } from '../support/records/files.js';
import { walk } from '../support/http/paging.js';
import { useService } from '../support/service/service.js';

/** Twice what is read at once, and some. */
const COUNT = 420;
const TEXTS = ['=1+1', '+1', '-1', '@x', '\tx', '\rx', "'x", "''", '', 'a,b;"c"\r\nd\ne\rf', '007', ' x ', '🚚'];

const service = useService();

beforeAll(async () => {
  const { sql } = service;
  await sql.query('SET session_replication_role = replica');
  await sql.query(
    `INSERT INTO moves (id, move_code, order_id, remarks, updated_at)
     SELECT gen_random_uuid(), translate(lpad(n::text, 6, '0'), '01', 'AB'), CASE WHEN n % 3 > 0 THEN 'ORD-' || n % 7 END,
       ($2::text[])[n % 20], timestamptz '2026-01-01Z' + n % 50 * interval '1 day'
     FROM generate_series(1, $1::int) n`,
    [COUNT, TEXTS],
  );
  await sql.query(
    `INSERT INTO shipments (id, shipment_code, move_id, shipment_type, status, rejection_reason, delivery_date, estimated_weight, customer_remarks,
       destination_address_id, destination_address_street_address1, destination_address_street_address2,
       destination_address_city, destination_address_state, destination_address_postal_code, updated_at)
     SELECT gen_random_uuid(), 'AAAAAA-' || 9 + n, (SELECT id FROM moves ORDER BY id OFFSET n % 5 LIMIT 1), ($4::text[])[1 + n % 2], status,
       CASE status WHEN 'REJECTED' THEN '-why' END, CASE WHEN n % 4 > 0 THEN date '2026-01-01' + n % 30 END, nullif(n % 9, 0),
       ($2::text[])[n % 20], address, address::text, CASE WHEN address IS NOT NULL THEN ($2::text[])[n % 20] END, address::text, address::text,
       left(address::text, 8), timestamptz '2026-01-01Z' + n % 50 * interval '1 day'
     FROM generate_series(1, $1::int) n,
       LATERAL (SELECT ($3::text[])[1 + n % 8] AS status, CASE WHEN n % 6 > 0 THEN gen_random_uuid() END AS address)`,
    [COUNT, TEXTS, STATUSES, ['HHG', '=BOAT']],
  );
  await sql.query('SET session_replication_role = origin');
});

const SORTS = (...fields: string[]) => fields.flatMap((field) => [`sort=${field}`, `sort=-${field}`]);

const SHIPMENT_QUERIES = [
  '',
  ...SORTS('createdAt', 'updatedAt', 'deliveryDate'),
  'status=SUBMITTED',
  'status=APPROVED,REJECTED&sort=deliveryDate',
  'status=APPROVED&status=CANCELED&shipmentType=HHG',
  'shipmentType=%3DBOAT',
  'moveID=$code',
  'moveID=$id&sort=-updatedAt&status=SUBMITTED',
  'moveID=ZZZZZZ',
  'updatedSince=2026-02-01T00:00:00Z',
  'updatedSince=2026-02-01T00:00:00Z&sort=-updatedAt&shipmentType=HHG',
  'deliveryDateFrom=2026-01-10',
  'deliveryDateTo=2026-01-10&status=APPROVED',
  'deliveryDateFrom=2026-01-10&deliveryDateTo=2026-01-20&sort=-deliveryDate',
];

const MOVE_QUERIES = [
  '',
  ...SORTS('createdAt', 'updatedAt'),
  'orderID=ORD-3',
  'orderID=ORD-3&updatedSince=2026-01-20T00:00:00Z',
  'updatedSince=2026-01-20T00:00:00Z&sort=-updatedAt',
];

async function expectSameAsList(path: string, query: string, kind: FileKind): Promise<void> {
  const move = (await service.sql.query(`SELECT id, move_code AS code FROM moves ORDER BY id LIMIT 1`)).rows[0];
  const asked = query.replace('$code', move.code).replace('$id', move.id);
  const list = (await walk(service.api, `${path}?limit=200${asked === '' ? '' : `&${asked}`}`)).flat();
  const url = `${service.url}${path}?${asked}`;
  const columns = columnsOf(kind);
  expect(recordsOf(await textOf(fetch(url, { headers: JSON_LINES })))).toEqual(list);
  const values = valuesOf(await textOf(fetch(url, { headers: CSV })), columns);
  expect(values).toEqual(list.map((record) => valuesIn(record, columns)));
}

test.each(SHIPMENT_QUERIES)('a file of shipments is the list that "%s" gives, page after page', async (query) => {
  await expectSameAsList('/v1/shipments', query, SHIPMENT_FILES);
});

test.each(MOVE_QUERIES)('a file of moves is the list that "%s" gives, page after page', async (query) => {
  await expectSameAsList('/v1/moves', query, MOVE_FILES);
});

test('the queries found something', async () => {
  const text = await textOf(fetch(`${service.url}/v1/shipments`, { headers: JSON_LINES }));
  expect(recordsOf(text)).toHaveLength(COUNT);
});
