// Fills an empty database with two years of shipments, inside PostgreSQL, so that a million of them takes a minute or two.

const TABLES = ['moves', 'shipments', 'agents', 'services', 'history'];

/**
 * Ids are UUIDv7 of the moment of creation, and can be computed from a number: `bench_shipment_id(1)` is the oldest.
 * `bench_draw` is chance that repeats itself: a whole number from 0 to size - 1.
 */
function functions(now, shipments) {
  const created = `${now - TWO_YEARS_MS} + (n * ${TWO_YEARS_MS}::numeric / ${shipments})::bigint`;
  return `
    CREATE FUNCTION bench_created(n bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ${created};
    CREATE FUNCTION bench_uuid(ms bigint, kind text, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN (lpad(to_hex(ms), 12, '0') || '7000a' || kind || lpad(to_hex(n), 14, '0'))::uuid;
    CREATE FUNCTION bench_shipment_id(n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN bench_uuid(bench_created(n), '1', n);
    CREATE FUNCTION bench_move_id(n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN bench_uuid(bench_created(n * ${SHIPMENTS_OF_A_MOVE}), '0', n);
    CREATE FUNCTION bench_draw(n bigint, salt bigint, size int) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN ((hashint8extended(n, salt) & 2147483647) % size)::int;
    CREATE FUNCTION bench_moment(ms bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN to_timestamp(0) + ms * interval '1 millisecond';
    CREATE FUNCTION bench_move_code(n bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN (SELECT string_agg(substr('${MOVE_CODE_ALPHABET}', (scattered >> (5 * place) & 31)::int + 1, 1), '')
              FROM (SELECT (n & 1073741823) * 740048493 & 1073741823 AS scattered), generate_series(0, 5) place);
  `;
}

const DAY_MS = 86_400_000;
const TWO_YEARS_MS = 730 * DAY_MS;
const SHIPMENTS_OF_A_MOVE = 3;
const MOVE_CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** @param {import('pg').Client} client */
export async function seed(client, shipments) {
  const now = Date.now();
  await client.query(functions(now, shipments));
  // Rows that were always there: neither the version clock nor history has to hear of each of them.
  await client.query('SET session_replication_role = replica');
  const indexes = await takeIndexesAway(client);
  await client.query(moves(Math.ceil(shipments / SHIPMENTS_OF_A_MOVE)));
  await client.query(SHIPMENTS, [shipments]);
  await client.query(AGENTS, [shipments]);
  await client.query(SERVICES, [shipments]);
  await client.query(`SELECT prepare_history(bench_moment(${now - TWO_YEARS_MS}), bench_moment(${now}))`);
  for (const statement of HISTORY) await client.query(statement);
  for (const definition of indexes) await client.query(definition);
  await client.query('SET session_replication_role = origin');
  await client.query('VACUUM ANALYZE');
}

/** To make an index once for all rows takes a fraction of the time that it takes row by row. */
async function takeIndexesAway(client) {
  const { rows } = await client.query(
    `SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS definition
       FROM pg_index WHERE NOT indisunique AND indrelid = ANY ($1::regclass[])`,
    [TABLES],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  // On a partitioned table PostgreSQL writes ONLY, which would leave the partitions without.
  return rows.map(({ definition }) => definition.replace(' ON ONLY ', ' ON '));
}

function moves(count) {
  return `
    INSERT INTO moves (id, move_code, order_id, remarks, created_at, updated_at)
    SELECT bench_move_id(n), bench_move_code(n), CASE WHEN bench_draw(n, 1, 10) < 8 THEN 'ORD-' || n END,
      CASE WHEN bench_draw(n, 2, 4) = 0 THEN 'Family travels two weeks ahead of the goods.' END,
      bench_moment(created), bench_moment(created)
    FROM generate_series(0, ${count}) n, LATERAL (SELECT bench_created(n * ${SHIPMENTS_OF_A_MOVE}) AS created)`;
}

const ADDRESS_COLUMNS = (prefix) =>
  ['id', 'street_address1', 'city', 'state', 'postal_code', 'country'].map((name) => `${prefix}_${name}`).join(', ');

const ADDRESS = (kind, salt) => `
  bench_uuid(created, '${kind}', n), 1 + bench_draw(n, ${salt}, 9899) || ' Maple Street',
  (ARRAY['Norfolk', 'San Diego', 'Tacoma', 'El Paso', 'Savannah'])[1 + bench_draw(n, ${salt + 1}, 5)], 'VA',
  lpad(bench_draw(n, ${salt + 2}, 99999)::text, 5, '0'), 'US'`;

/** How far a shipment has come follows from where today stands in its plan, as in life: few are open, and those are new. */
const SHIPMENTS = `
  INSERT INTO shipments (
    id, move_id, shipment_type, status, rejection_reason, pickup_date, delivery_date,
    ${ADDRESS_COLUMNS('pickup_address')}, ${ADDRESS_COLUMNS('destination_address')},
    estimated_weight, actual_weight, customer_remarks, created_at, updated_at
  )
  SELECT bench_shipment_id(n), bench_move_id(n / ${SHIPMENTS_OF_A_MOVE}),
    (ARRAY['HHG', 'HHG', 'HHG', 'HHG_INTO_STORAGE', 'UNACCOMPANIED_BAGGAGE', 'BOAT'])[1 + bench_draw(n, 3, 6)],
    status, CASE WHEN status = 'REJECTED' THEN 'The orders do not cover this shipment.' END,
    bench_moment(pickup)::date, bench_moment(delivery)::date, ${ADDRESS('2', 20)}, ${ADDRESS('3', 30)},
    400 + 100 * bench_draw(n, 4, 180), CASE WHEN status = 'DELIVERED' THEN 500 + 100 * bench_draw(n, 5, 180) END,
    CASE WHEN bench_draw(n, 6, 5) = 0 THEN 'Please call an hour before arrival.' END, bench_moment(created),
    least(now(), bench_moment(CASE status WHEN 'DELIVERED' THEN delivery WHEN 'IN_TRANSIT' THEN pickup ELSE created END
      + 3600000 * (1 + bench_draw(n, 7, 24))))
  FROM generate_series(1, $1::bigint) n,
    LATERAL (SELECT bench_created(n) AS created, extract(epoch FROM now()) * 1000 AS today),
    LATERAL (SELECT created + ${DAY_MS} * (7 + bench_draw(n, 8, 39))::bigint AS pickup),
    LATERAL (SELECT pickup + ${DAY_MS} * (2 + bench_draw(n, 9, 20))::bigint AS delivery, bench_draw(n, 10, 100) AS lot),
    LATERAL (SELECT CASE
      WHEN delivery < today THEN
        CASE WHEN lot < 86 THEN 'DELIVERED' WHEN lot < 92 THEN 'CANCELED' WHEN lot < 97 THEN 'REJECTED' ELSE 'IN_TRANSIT' END
      WHEN pickup < today THEN
        CASE WHEN lot < 80 THEN 'IN_TRANSIT' WHEN lot < 92 THEN 'DIVERSION_REQUESTED' ELSE 'CANCELED' END
      ELSE
        CASE WHEN lot < 45 THEN 'SUBMITTED' WHEN lot < 90 THEN 'APPROVED' ELSE 'CANCELLATION_REQUESTED' END
    END AS status)`;

const AGENTS = `
  INSERT INTO agents (id, shipment_id, agent_type, first_name, last_name, email, created_at, updated_at)
  SELECT bench_uuid(created, '4', n), bench_shipment_id(n), 'RELEASING_AGENT', 'Imani', 'Becker', 'imani@example.com',
    bench_moment(created), bench_moment(created)
  FROM generate_series(1, $1::bigint, 2) n, LATERAL (SELECT bench_created(n) AS created)`;

const SERVICES = `
  INSERT INTO services (id, shipment_id, code, created_at, updated_at)
  SELECT bench_uuid(created, '5', n), bench_shipment_id(n), 'LINEHAUL', bench_moment(created), bench_moment(created)
  FROM generate_series(1, $1::bigint, 2) n, LATERAL (SELECT bench_created(n) AS created)`;

/** What the triggers would have written: a record's creation, and for a shipment its last change. */
const HISTORY = [
  ['moves', 'move', 'created', 'created_at'],
  ['shipments', 'shipment', 'created', 'created_at'],
  ['shipments', 'shipment', 'updated', 'updated_at'],
].map(
  ([table, kind, type, moment]) => `
    INSERT INTO history (root_id, record_kind, record_id, type, e_tag, record, changed_by, changed_at)
    SELECT id, '${kind}', id, '${type}', decode(etag_of(${moment}), 'hex'), jsonb_strip_nulls(to_jsonb(r)), 'seed', ${moment}
    FROM ${table} r`,
);
