-- Written by npm run sql. Statements are named as in spans and in pg_prepared_statements. EXPLAIN (GENERIC_PLAN) takes them as they are.

-- overview
--   Counts what is due on the day $1 and planned from $2 to $3, in one statement, so that all numbers are of one moment.
  SELECT iso_ms(now()) AS "countedAt",
    (
  SELECT sum(counted.number)::int FROM unnest('{SUBMITTED,APPROVED}'::text[]) AS one, LATERAL (
    SELECT count(*) AS number FROM (SELECT FROM shipments
      WHERE status = one AND coalesce(pickup_date, 'infinity') < $1::date LIMIT 10001) walked
  ) counted
) AS "latePickups",
    (
  SELECT sum(counted.number)::int
    FROM unnest('{SUBMITTED,APPROVED,DIVERSION_REQUESTED,IN_TRANSIT,CANCELLATION_REQUESTED}'::text[]) AS one, LATERAL (
    SELECT count(*) AS number FROM (SELECT FROM shipments
      WHERE status = one AND coalesce(delivery_date, 'infinity') < $1::date LIMIT 10001) walked
  ) counted
) AS "lateDeliveries",
    (
  SELECT sum(counted.number)::int FROM unnest('{SUBMITTED,APPROVED}'::text[]) AS one, LATERAL (
    SELECT count(*) AS number FROM (SELECT FROM shipments
      WHERE status = one AND coalesce(pickup_date, 'infinity') = $1::date LIMIT 10001) walked
  ) counted
) AS pickups,
    (
  SELECT sum(counted.number)::int
    FROM unnest('{SUBMITTED,APPROVED,DIVERSION_REQUESTED,IN_TRANSIT,CANCELLATION_REQUESTED}'::text[]) AS one, LATERAL (
    SELECT count(*) AS number FROM (SELECT FROM shipments
      WHERE status = one AND coalesce(delivery_date, 'infinity') = $1::date LIMIT 10001) walked
  ) counted
) AS deliveries,
    ARRAY[(
  SELECT sum(counted.number)::int FROM unnest('{SUBMITTED}'::text[]) AS one, LATERAL (
    SELECT count(*) AS number FROM (SELECT FROM shipments WHERE status = one AND true LIMIT 10001) walked
  ) counted
), (
  SELECT sum(counted.number)::int FROM unnest('{APPROVED}'::text[]) AS one, LATERAL (
    SELECT count(*) AS number FROM (SELECT FROM shipments WHERE status = one AND true LIMIT 10001) walked
  ) counted
), (
  SELECT sum(counted.number)::int FROM unnest('{DIVERSION_REQUESTED}'::text[]) AS one, LATERAL (
    SELECT count(*) AS number FROM (SELECT FROM shipments WHERE status = one AND true LIMIT 10001) walked
  ) counted
), (
  SELECT sum(counted.number)::int FROM unnest('{IN_TRANSIT}'::text[]) AS one, LATERAL (
    SELECT count(*) AS number FROM (SELECT FROM shipments WHERE status = one AND true LIMIT 10001) walked
  ) counted
), (
  SELECT sum(counted.number)::int FROM unnest('{CANCELLATION_REQUESTED}'::text[]) AS one, LATERAL (
    SELECT count(*) AS number FROM (SELECT FROM shipments WHERE status = one AND true LIMIT 10001) walked
  ) counted
), (
  SELECT sum(counted.number)::int FROM unnest('{REJECTED}'::text[]) AS one, LATERAL (
    SELECT count(*) AS number FROM (SELECT FROM shipments WHERE status = one AND true LIMIT 10001) walked
  ) counted
), (
  SELECT sum(counted.number)::int FROM unnest('{CANCELED}'::text[]) AS one, LATERAL (
    SELECT count(*) AS number FROM (SELECT FROM shipments WHERE status = one AND true LIMIT 10001) walked
  ) counted
), (
  SELECT sum(counted.number)::int FROM unnest('{DELIVERED}'::text[]) AS one, LATERAL (
    SELECT count(*) AS number FROM (SELECT FROM shipments WHERE status = one AND true LIMIT 10001) walked
  ) counted
)] AS "byStatus",
    (
      SELECT json_agg(json_build_object(
        'date', day,
        'pickups', (
  SELECT sum(counted.number)::int
    FROM unnest('{SUBMITTED,APPROVED,DIVERSION_REQUESTED,IN_TRANSIT,CANCELLATION_REQUESTED,DELIVERED}'::text[]) AS one, LATERAL (
    SELECT count(*) AS number FROM (SELECT FROM shipments WHERE status = one AND coalesce(pickup_date, 'infinity') = day LIMIT 1001) walked
  ) counted
),
        'deliveries', (
  SELECT sum(counted.number)::int
    FROM unnest('{SUBMITTED,APPROVED,DIVERSION_REQUESTED,IN_TRANSIT,CANCELLATION_REQUESTED,DELIVERED}'::text[]) AS one, LATERAL (
    SELECT count(*) AS number FROM (SELECT FROM shipments
      WHERE status = one AND coalesce(delivery_date, 'infinity') = day LIMIT 1001) walked
  ) counted
)
      ) ORDER BY day)
      -- Dates, not timestamps: where summer time begins at midnight, a day has no 00:00.
      FROM generate_series(0, $3::date - $2::date) AS passed, LATERAL (SELECT $2::date + passed AS day) AS each
    ) AS days;
