-- The two roles of a deployment: the owner, who migrates, and the service's role, which deploy/grants.sql gives its rights. Neither is a
-- superuser. An administrator runs this with psql in the service's database; run again, it changes nothing but the passwords:
--
--   psql "$ADMINISTRATOR_URL" --set=owner_password=... --set=service_password=... --file=deploy/roles.sql

\set ON_ERROR_STOP on
BEGIN;

SELECT format('CREATE ROLE %I', role) FROM unnest(ARRAY['waybill_owner', 'waybill_service']) AS role
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) \gexec
ALTER ROLE waybill_owner LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'owner_password';
ALTER ROLE waybill_service LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'service_password';

ALTER DATABASE :"DBNAME" OWNER TO waybill_owner;
ALTER SCHEMA public OWNER TO waybill_owner;

-- Where an administrator migrated the database before there were these roles, tables and functions belong to that administrator.
SELECT format('ALTER TABLE %s OWNER TO waybill_owner', oid::regclass) FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relowner <> 'waybill_owner'::regrole
UNION ALL SELECT format('ALTER FUNCTION %s OWNER TO waybill_owner', oid::regprocedure) FROM pg_proc
WHERE pronamespace = 'public'::regnamespace AND proowner <> 'waybill_owner'::regrole \gexec

COMMIT;
