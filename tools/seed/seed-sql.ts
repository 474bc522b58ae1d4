import { escapeLiteral } from 'pg';
import type { SeedOptions } from './options.js';
import * as words from './vocabulary.js';

const list = (texts: readonly string[]) => `ARRAY[${texts.map(escapeLiteral).join()}]`;

/** People appear in history by display name, or by mailbox. */
function author(name: string, domain: string, { week }: SeedOptions): string {
  return week ? name : `${name.replace("'", '').replace(' ', '.').toLowerCase()}@${domain}`;
}

/**
 * Session functions. Every value is a hash of the seed, the number of its record and a number of the value, so that the same seed
 * creates the same records in any evaluation order.
 */
export function functions({ seed, week }: SeedOptions): string {
  return `
    CREATE FUNCTION pg_temp.chance(n bigint, draw int) RETURNS float8 LANGUAGE sql IMMUTABLE AS
      'SELECT (hashint8extended(n * 64 + draw, ${seed}) & 1073741823) / 1073741824.0::float8';
    CREATE FUNCTION pg_temp.upto(most int, n bigint, draw int) RETURNS int LANGUAGE sql IMMUTABLE AS
      'SELECT 1 + floor(pg_temp.chance(n, draw) * most)::int';
    CREATE FUNCTION pg_temp.pick(texts text[], n bigint, draw int) RETURNS text LANGUAGE sql IMMUTABLE AS
      'SELECT texts[pg_temp.upto(cardinality(texts), n, draw)]';
    CREATE FUNCTION pg_temp.days(number float8) RETURNS interval LANGUAGE sql IMMUTABLE AS
      $$SELECT number * interval '${week ? '144 minutes' : '1440 minutes'}'$$;
    CREATE FUNCTION pg_temp.uuid7(moment timestamptz, key text) RETURNS uuid LANGUAGE sql STABLE AS $$
      SELECT overlay(overlay(overlay(md5('${seed} ' || key)
        PLACING lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') FROM 1 FOR 12)
        PLACING '7' FROM 13 FOR 1) PLACING 'a' FROM 17 FOR 1)::uuid $$;
    CREATE FUNCTION pg_temp.phone(n bigint, draw int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT format('+1 %s 555 01%s', 200 + pg_temp.upto(789, n, draw), lpad(pg_temp.upto(99, n, draw + 1)::text, 2, '0')) $$;
    CREATE FUNCTION pg_temp.address(prefix text, moment timestamptz, n bigint, draw int) RETURNS jsonb LANGUAGE sql STABLE AS $$
      SELECT jsonb_build_object(
        prefix || '_id', pg_temp.uuid7(moment, prefix || n || '.' || draw),
        prefix || '_street_address1', pg_temp.upto(9899, n, draw) || ' ' || pg_temp.pick(${list(words.STREETS)}, n, draw + 1),
        prefix || '_street_address2', CASE WHEN pg_temp.chance(n, draw + 2) < 0.3 THEN 'Apt ' || pg_temp.upto(420, n, draw) END,
        prefix || '_city', split_part(town, ',', 1), prefix || '_state', split_part(town, ',', 2),
        prefix || '_postal_code', split_part(town, ',', 3) || lpad(pg_temp.upto(99, n, draw + 1)::text, 2, '0'),
        prefix || '_country', CASE WHEN pg_temp.chance(n, draw + 3) < 0.6 THEN 'US' END)
      FROM pg_temp.pick(${list(words.CITIES)}, n, draw + 4) town $$;
    CREATE AGGREGATE pg_temp.merge(jsonb) (SFUNC = jsonb_concat, STYPE = jsonb, INITCOND = '{}');
    CREATE TEMPORARY TABLE seed_versions
      (kind text, root_id uuid, id uuid, type text, at timestamptz(3), author text, request_id text, record jsonb, is_last boolean)
      ON COMMIT DROP`;
}

/** A unique code for each move: steps through all codes in an order that looks random, because random codes would repeat. */
export function codes({ seed, moves }: SeedOptions): string {
  const letter = (place: number) =>
    `substr('ABCDEFGHJKLMNPQRSTUVWXYZ23456789', (number >> ${5 * place} & 31)::int + 1, 1)`;
  return `
    CREATE TEMPORARY TABLE seed_codes ON COMMIT DROP AS
      SELECT row_number() OVER (ORDER BY step) AS n, code
      FROM generate_series(1, ${moves} + (SELECT count(*) FROM moves)) step,
        LATERAL (SELECT (step + ${seed % 1_000_000} * 1009) * 741103597 % 1073741824 AS number) numbers,
        LATERAL (SELECT ${[0, 1, 2, 3, 4, 5].map(letter).join(' || ')} AS code) spelled
      WHERE NOT EXISTS (SELECT FROM moves WHERE move_code = code)
      ORDER BY step LIMIT ${moves};
    ALTER TABLE seed_codes ADD PRIMARY KEY (n)`;
}

/**
 * Versions of the moves from $1 to $2 and their children. \`records\` has the first version of each record, \`changes\` the later ones.
 * Changes that would happen after the end of the period are moved closer together, so that all of them happen before it.
 */
export function versions(options: SeedOptions): string {
  const { moves, until, week, shipmentTypes } = options;
  const end = `timestamptz ${escapeLiteral(new Date(until).toISOString())}`;
  const length = `interval '${week ? 7 : 730} days'`;
  const customers = words.FIRST_NAMES.flatMap((first) =>
    words.LAST_NAMES.map((last) => author(`${first} ${last}`, 'example.com', options)),
  );
  const staff = (names: readonly string[]) => list(names.map((name) => author(name, 'waybill.example', options)));
  const isOld = `created < ${end} - pg_temp.days(1 / 24.0)`;
  const between = (from: string, most: string, draw: number, key = 'n') =>
    `date_trunc('milliseconds', ${from} + pg_temp.chance(${key}, ${draw}) * least(${most}, ${end} - ${from}))`;
  return `
    WITH movers AS MATERIALIZED (
      SELECT n::bigint AS n, code, created, pg_temp.uuid7(created, 'move ' || n) AS id,
        pg_temp.pick(${list(customers)}, n, 1) AS customer, pg_temp.pick(${staff(words.COUNSELORS)}, n, 2) AS counselor,
        pg_temp.pick(${staff(words.DISPATCHERS)}, n, 3) AS dispatcher
      FROM seed_codes, LATERAL (
        SELECT date_trunc('milliseconds', ${end} - ${length} * ((${moves} - n + pg_temp.chance(n, 0)) / ${moves})) AS created
      ) moments WHERE n BETWEEN $1::bigint AND $2
    ), planned AS MATERIALIZED (
      SELECT *, pg_temp.uuid7(created, 'shipment ' || n) AS id,
        string_to_array(nullif(CASE
          WHEN ${end} > delivery + pg_temp.days(1) THEN pg_temp.pick(${list(words.WAYS.afterDelivery)}, n, 4)
          WHEN ${end} > pickup THEN pg_temp.pick(${list(words.WAYS.underway)}, n, 4)
          ELSE pg_temp.pick(${list(words.WAYS.beforePickup)}, n, 4) END, ''), ' ') AS way
      FROM (
        SELECT *, pickup + pg_temp.days(1 + pg_temp.upto(20, n, 5)) AS delivery,
          CASE WHEN pg_temp.chance(n, 6) < 0.2 THEN pg_temp.days(pg_temp.upto(6, n, 7)) ELSE interval '0' END AS postponed
        FROM (
          SELECT *, created + pg_temp.days(6 + pg_temp.upto(39, n, 8)) AS pickup,
            move_code || '-0' || row_number() OVER (PARTITION BY move_id ORDER BY created, n) AS shipment_code
          FROM (
            SELECT *, ${between('opened', 'pg_temp.days(14)', 9)} AS created
            FROM (
              SELECT n * 8 + k AS n, id AS move_id, code AS move_code, created AS opened, customer, counselor, dispatcher
              FROM movers, generate_series(1, 1 + width_bucket(pg_temp.chance(n, 10), ARRAY[0.1, 0.35, 0.65, 0.9])) k
            ) numbered
          ) begun
        ) picked
      ) dated
    ), shipping AS MATERIALIZED (
      SELECT *, way && '{IN_TRANSIT}' OR cardinality(way) > 0 AND NOT way && '{REJECTED,CANCELED}' OR pg_temp.chance(n, 11) < 0.7 AS complete
      FROM (SELECT *, CASE WHEN ${isOld} THEN way END AS taken FROM planned) steps
    ), parts AS MATERIALIZED (
      SELECT n * 16 + k AS n, k, id AS shipment_id, customer, counselor, dispatcher, ${between('created', 'pg_temp.days(3)', 12, 'n * 16 + k')} AS created
      FROM shipping, generate_series(1, 9) k
      WHERE pg_temp.chance(n * 16 + k, 13) < CASE k WHEN 1 THEN 0.3 WHEN 2 THEN 0.2 ELSE CASE WHEN taken IS NULL THEN 0 ELSE 0.1 END END
    ), entries (kind, root_id, id, rank, at, author, changes) AS (
      SELECT 'move', id, id, 0, created, customer, jsonb_build_object('id', id, 'created_at', created::timestamptz(3), 'move_code', code,
        'order_id', CASE WHEN pg_temp.chance(n, 14) < 0.8 THEN 'ORD-' || extract(year FROM created) || '-' || 99999 + pg_temp.upto(900000, n, 15) END,
        'remarks', CASE WHEN pg_temp.chance(n, 16) < 0.1 THEN pg_temp.pick(${list(words.MOVE_REMARKS)}, n, 17) END)
      FROM movers
      UNION ALL
      SELECT 'move', id, id, 1, created + pg_temp.days(0.1 + 20 * pg_temp.chance(n, 18)), customer,
        jsonb_build_object('remarks', pg_temp.pick(${list(words.MOVE_REMARKS)}, n, 17))
      FROM movers WHERE ${isOld} AND pg_temp.chance(n, 16) > 0.8
      UNION ALL
      SELECT 'shipment', id, id, 0, created, customer, jsonb_build_object('id', id, 'created_at', created::timestamptz(3), 'move_id', move_id, 'shipment_code', shipment_code,
        'shipment_type', pg_temp.pick(${list(shipmentTypes)}, n, 19), 'status', 'SUBMITTED',
        'pickup_date', CASE WHEN complete THEN (pickup - postponed)::date END,
        'delivery_date', CASE WHEN complete THEN (delivery - postponed)::date END,
        'estimated_weight', CASE WHEN complete THEN 300 + 100 * pg_temp.upto(177, n, 20) END,
        'customer_remarks', CASE WHEN pg_temp.chance(n, 21) < 0.1 THEN pg_temp.pick(${list(words.CUSTOMER_REMARKS)}, n, 22) END)
        || CASE WHEN complete OR pg_temp.chance(n, 23) < 0.6 THEN pg_temp.address('pickup_address', created, n, 24) ELSE '{}' END
        || CASE WHEN complete THEN pg_temp.address('destination_address', created, n, 30) ELSE '{}' END
      FROM shipping
      UNION ALL
      SELECT 'shipment', id, id, 10 + step, CASE
          WHEN status = 'DELIVERED' THEN delivery + pg_temp.days(0.4 + 0.6 * pg_temp.chance(n, 40))
          WHEN status = 'IN_TRANSIT' THEN pickup + pg_temp.days(0.3 + 0.3 * pg_temp.chance(n, 41))
          WHEN taken[step - 1] = 'IN_TRANSIT' THEN pickup + pg_temp.days(0.7 + pg_temp.chance(n, 42))
          ELSE created + pg_temp.days(2 * (step - 0.9 + 0.9 * pg_temp.chance(n, 42 + step::int))) END,
        CASE WHEN status LIKE '%REQUESTED' THEN customer WHEN status IN ('IN_TRANSIT', 'DELIVERED') THEN dispatcher ELSE counselor END,
        jsonb_build_object('status', status, 'rejection_reason',
          CASE status WHEN 'REJECTED' THEN pg_temp.pick(${list(words.REJECTION_REASONS)}, n, 46) END)
      FROM shipping, unnest(taken) WITH ORDINALITY steps (status, step)
      UNION ALL
      SELECT 'shipment', id, id, 20, pickup + pg_temp.days(0.65), dispatcher,
        jsonb_build_object('actual_weight', 300 + 100 * pg_temp.upto(177, n, 20) - pg_temp.upto(99, n, 47))
      FROM shipping WHERE taken && '{IN_TRANSIT}'
      UNION ALL
      SELECT 'shipment', id, id, rank, created + pg_temp.days(pg_temp.chance(n, 47 + rank) * CASE WHEN taken && '{REJECTED,CANCELED}' THEN 0.1 ELSE 6 END), by, changes
      FROM shipping, LATERAL (VALUES
        (1, customer, postponed > '0' AND (pickup - postponed)::date <> pickup::date,
          jsonb_build_object('pickup_date', pickup::date, 'delivery_date', delivery::date)),
        (2, counselor, pg_temp.chance(n, 52) < 0.15, jsonb_build_object('estimated_weight', 300 + 100 * (pg_temp.upto(177, n, 20) + pg_temp.upto(40, n, 53)))),
        (3, customer, pg_temp.chance(n, 54) < 0.08, pg_temp.address('destination_address', created, n, 55)),
        (4, customer, pg_temp.chance(n, 21) > 0.88, jsonb_build_object('customer_remarks', pg_temp.pick(${list(words.CUSTOMER_REMARKS)}, n, 22)))
      ) corrections (rank, by, happens, changes) WHERE happens AND complete AND ${isOld}
      UNION ALL
      SELECT 'agent', shipment_id, id, rank, at, customer, changes FROM parts, LATERAL (
        SELECT pg_temp.uuid7(created, 'agent ' || n) AS id, pg_temp.pick(${list(words.FIRST_NAMES)}, n, 1) AS first_name,
          pg_temp.pick(${list(words.LAST_NAMES)}, n, 2) AS last_name, pg_temp.chance(n, 3) AS reached) person,
        LATERAL (VALUES
          (0, created, jsonb_build_object('id', id, 'created_at', created::timestamptz(3), 'shipment_id', shipment_id,
            'agent_type', CASE k WHEN 1 THEN 'RELEASING_AGENT' ELSE 'RECEIVING_AGENT' END, 'first_name', first_name, 'last_name', last_name,
            'email', CASE WHEN reached < 0.8 THEN lower(first_name || '.' || replace(last_name, '''', '')) || '@example.com' END,
            'phone', CASE WHEN reached > 0.3 THEN pg_temp.phone(n, 4) END)),
          (1, created + pg_temp.days(0.1 + 5 * pg_temp.chance(n, 6)),
            CASE WHEN reached < 0.12 AND ${isOld} THEN jsonb_build_object('phone', pg_temp.phone(n, 4)) END)
        ) written (rank, at, changes) WHERE k <= 2 AND changes IS NOT NULL
      UNION ALL
      SELECT 'service', shipment_id, id, rank, at, author, changes FROM parts, LATERAL (
        SELECT pg_temp.uuid7(created, 'service ' || n) AS id, (${list(words.SERVICES)})[k - 2] AS service, pg_temp.chance(n, 3) AS described) done,
        LATERAL (VALUES
          (0, created, counselor, jsonb_build_object('id', id, 'created_at', created::timestamptz(3), 'shipment_id', shipment_id,
            'code', split_part(service, ',', 1), 'description', CASE WHEN described < 0.7 THEN split_part(service, ',', 2) END)),
          (1, created + pg_temp.days(0.1 + 5 * pg_temp.chance(n, 6)), dispatcher,
            CASE WHEN described > 0.88 AND ${isOld} THEN jsonb_build_object('description', split_part(service, ',', 2)) END)
        ) written (rank, at, author, changes) WHERE k > 2 AND changes IS NOT NULL
    ), paced AS (
      SELECT *, row_number() OVER chain AS number, count(*) OVER record AS all_versions, min(at) OVER record AS created,
        max(at) OVER record AS last, pg_temp.merge(jsonb_strip_nulls(changes)) OVER chain AS merged
      FROM entries WINDOW record AS (PARTITION BY id), chain AS (PARTITION BY id ORDER BY at, rank)
    ), stamped AS (
      SELECT *, date_trunc('milliseconds', created + (at - created) * CASE WHEN last < ${end} - interval '20 ms' THEN 1
        ELSE extract(epoch FROM ${end} - interval '20 ms' - created) / extract(epoch FROM last - created) END)
        + (number - 1) * interval '1 ms' AS moment
      FROM paced
    )
    INSERT INTO seed_versions
    SELECT kind, root_id, id, CASE WHEN number = 1 THEN 'created' WHEN changes ? 'status' THEN 'statusChanged' ELSE 'updated' END,
      moment, author, pg_temp.uuid7(moment, id || ' ' || number), merged || jsonb_build_object('updated_at', moment::timestamptz(3)), number = all_versions
    FROM stamped`;
}

/** Stores the last version of each record, and every version as the history entry that its trigger would have written. */
export function stored(tables: readonly string[]): string {
  const inserts = tables.map(
    (table) => `
      INSERT INTO ${table} SELECT record_of_table.* FROM seed_versions, jsonb_populate_record(null::${table}, record) record_of_table
      WHERE kind = '${table.slice(0, -1)}' AND is_last`,
  );
  return `${inserts.join(';')};
    INSERT INTO shipment_numbers SELECT left(record ->> 'shipment_code', 6), count(*) FROM seed_versions WHERE kind = 'shipment' AND is_last GROUP BY 1;
    INSERT INTO history (root_id, record_kind, record_id, type, e_tag, record, changed_by, request_id, changed_at)
      SELECT root_id, kind, id, type, decode(etag_of(at), 'hex'), record, author, request_id, at FROM seed_versions ORDER BY at, id;
    TRUNCATE seed_versions`;
}
