-- What the service's role needs, and no more. Run it with psql as the owner of the schema, after the first migration and
-- again after each that adds a table or a function:
--
--   psql "$OWNER_URL" --set=service=waybill_service --file=deploy/grants.sql
--
-- The role itself is made once, by an administrator:
--
--   CREATE ROLE waybill_service LOGIN PASSWORD '...';
--   -- Only behind a pooler in transaction mode, where the service cannot bring them along for reads outside a transaction:
--   ALTER ROLE waybill_service SET statement_timeout = '10s';
--   ALTER ROLE waybill_service SET lock_timeout = '5s';
--   ALTER ROLE waybill_service SET idle_in_transaction_session_timeout = '10s';
--
-- Migrations are run by the owner (npm run migrate); the service is started with MIGRATE_ON_START=off.

\set ON_ERROR_STOP on
BEGIN;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM :"service";
GRANT USAGE ON SCHEMA public TO :"service";

GRANT SELECT, INSERT, UPDATE, DELETE ON moves, shipments, agents, services TO :"service";

-- History only grows. It is read, and triggers write it with the rights of whoever makes the change.
GRANT SELECT, INSERT ON history TO :"service";

-- Kept answers are replaced when they have expired, and forgotten after a day.
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO :"service";

-- Readiness asks whether all migrations have run.
GRANT SELECT ON migrations TO :"service";

-- Creates the next months' parts of history with the rights of its owner; it takes no arguments.
GRANT EXECUTE ON FUNCTION prepare_months_ahead() TO :"service";
GRANT EXECUTE ON FUNCTION now_ms(), iso_ms(timestamptz), etag_of(timestamptz) TO :"service";

COMMIT;
