-- The two roles of a deployment: the owner, who migrates, and the service's role, to which migrate (SERVICE_ROLE) grants its rights.
-- Neither is a superuser. An administrator runs this with psql in the service's database. It can be run again: then it sets the passwords.
--
--   OWNER_PASSWORD=... SERVICE_PASSWORD=... psql "$ADMINISTRATOR_URL" --file=deploy/roles.sql
--
-- Behind a connection pooler in transaction mode the service cannot set limits for reads outside a transaction. Set them for the role:
--
--   ALTER ROLE waybill_service SET statement_timeout = '10s';
--   ALTER ROLE waybill_service SET lock_timeout = '5s';
--   ALTER ROLE waybill_service SET idle_in_transaction_session_timeout = '10s';

\set ON_ERROR_STOP on
\getenv owner_password OWNER_PASSWORD
\getenv service_password SERVICE_PASSWORD
BEGIN;

SELECT format('CREATE ROLE %I', role) FROM unnest(ARRAY['waybill_owner', 'waybill_service']) AS role
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) \gexec
ALTER ROLE waybill_owner LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'owner_password';
ALTER ROLE waybill_service LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'service_password';

ALTER DATABASE :"DBNAME" OWNER TO waybill_owner;
ALTER SCHEMA public OWNER TO waybill_owner;

-- If an administrator migrated the database before these roles existed, tables, views and functions belong to that administrator.
SELECT format('ALTER TABLE %s OWNER TO waybill_owner', oid::regclass) FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND relowner <> 'waybill_owner'::regrole
UNION ALL SELECT format('ALTER FUNCTION %s OWNER TO waybill_owner', oid::regprocedure) FROM pg_proc
WHERE pronamespace = 'public'::regnamespace AND proowner <> 'waybill_owner'::regrole \gexec

COMMIT;
