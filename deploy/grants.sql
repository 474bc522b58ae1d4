-- What the service's role needs, and no more. The owner of the database and of the schema runs this with psql after the first
-- migration, and again after each migration that adds a table or a function:
--
--   psql "$OWNER_URL" --set=service=waybill_service --file=deploy/grants.sql
--
-- An administrator creates both roles once; deploy/roles.sql does it for the compose file. Neither may be a superuser:
--
--   CREATE ROLE waybill_owner LOGIN PASSWORD '...';
--   CREATE ROLE waybill_service LOGIN PASSWORD '...';
--   -- Only behind a connection pooler in transaction mode, where the service cannot set them for reads outside a transaction:
--   ALTER ROLE waybill_service SET statement_timeout = '10s';
--   ALTER ROLE waybill_service SET lock_timeout = '5s';
--   ALTER ROLE waybill_service SET idle_in_transaction_session_timeout = '10s';
--
-- The owner runs migrations (npm run migrate), npm run seed, history:archive, history:restore and history:erase. The service is started with
-- MIGRATE_ON_START=off.

\set ON_ERROR_STOP on
BEGIN;

-- Objects of its own, temporary ones included, are what a role could use to mislead functions that run with the owner's rights.
-- PostgreSQL lets everybody create temporary tables; grant TEMPORARY back to the roles of people who need it.
REVOKE CREATE, TEMPORARY ON DATABASE :"DBNAME" FROM PUBLIC, :"service";
REVOKE CREATE ON SCHEMA public FROM PUBLIC, :"service";
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM :"service";
REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM :"service";
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA public FROM :"service";
GRANT USAGE ON SCHEMA public TO :"service";

-- The tables of records are those whose versions a trigger advances.
SELECT set_config('waybill.grantee', :'service', true);
DO $$
DECLARE
  records regclass;
BEGIN
  FOR records IN SELECT DISTINCT tgrelid::regclass FROM pg_trigger WHERE tgfoid = 'advance_version()'::regprocedure LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %I', records, current_setting('waybill.grantee'));
  END LOOP;
END
$$;

-- The service reads history. Triggers that run with the owner's rights write it.
GRANT SELECT ON history TO :"service";

-- The service reads events. A function that runs with the owner's rights and takes no arguments numbers them.
GRANT SELECT ON events TO :"service";
GRANT EXECUTE ON FUNCTION number_events() TO :"service";

-- The service reads the words of records. Triggers that run with the owner's rights write them.
GRANT SELECT ON search TO :"service";

-- Kept answers are replaced when they have expired, and forgotten after a day.
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO :"service";

-- The rows of files that are imported; imports themselves are records.
GRANT SELECT, INSERT, UPDATE, DELETE ON import_rows TO :"service";

-- Readiness asks whether all migrations have run.
GRANT SELECT ON migrations TO :"service";

-- Creates the next months' parts of history with the rights of its owner; it takes no arguments.
GRANT EXECUTE ON FUNCTION prepare_months_ahead() TO :"service";
GRANT EXECUTE ON FUNCTION now_ms(), iso_ms(timestamptz), etag_of(timestamptz), search_query(text), fold_text(text) TO :"service";

-- A REVOKE by somebody who did not grant the right only warns, and rights can also come through another role. So look at the result.
DO $$
DECLARE
  service name := current_setting('waybill.grantee');
  too_much text;
BEGIN
  SELECT string_agg(reason, ', ') INTO too_much FROM (VALUES
    ('it is a superuser', (SELECT rolsuper FROM pg_roles WHERE rolname = service)),
    ('it has the rights of the owner', pg_has_role(service, (SELECT relowner FROM pg_class WHERE oid = 'history'::regclass), 'MEMBER')),
    ('it may create temporary tables', has_database_privilege(service, current_database(), 'TEMPORARY')),
    ('it may create schemas', has_database_privilege(service, current_database(), 'CREATE')),
    ('it may create objects in the schema', has_schema_privilege(service, 'public', 'CREATE')),
    ('it may write history', has_table_privilege(service, 'history', 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER')),
    ('it may write events', has_table_privilege(service, 'events', 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER'))
  ) AS found (reason, is_so) WHERE is_so;
  IF too_much IS NOT NULL THEN
    RAISE EXCEPTION 'the role % has more rights than the service may have: %', service, too_much
      USING HINT = 'Run this as the owner of the database, and take the other roles away from the service''s role.';
  END IF;
END
$$;

COMMIT;
