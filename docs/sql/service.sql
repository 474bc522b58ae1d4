-- Written by npm run sql. Statements are named as in spans and in pg_prepared_statements. EXPLAIN (GENERIC_PLAN) takes them as they are.

-- any_move
SELECT id FROM moves LIMIT 1;

-- begin
--   the first statements of each transaction
BEGIN;

-- commit
COMMIT;

-- rollback
ROLLBACK;

-- transaction_status
SELECT pg_xact_status($1::xid8) AS status;

-- wait_until_durable
--   Writes an empty record to the write-ahead log. Once it commits, all earlier commits are on disk and on the synchronous standbys.
--   Readable rows are not always durable: after a crash, PostgreSQL shows commits that no standby has received.
SELECT pg_logical_emit_message(true, 'waybill', '');

-- raise_version_floor
--   No later version is earlier than the floor. True if this raised it.
SELECT raise_version_floor() AS raised;

-- keep_list_mark
--   A transaction of its own: its id must be later than the floor.
SELECT keep_list_mark();

-- excess_rights
--   One row: the role, and the rights with which it could change history. There are none if the service does not own its tables.
SELECT service::text AS role, ARRAY(SELECT reason FROM 
(VALUES
  ('it is a superuser', (SELECT rolsuper FROM pg_roles WHERE rolname = service)),
  ('it has the rights of the owner', EXISTS (
    SELECT FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND pg_has_role(service, relowner, 'MEMBER')
    UNION ALL
    SELECT FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND pg_has_role(service, proowner, 'MEMBER'))),
  ('it may switch off triggers', has_parameter_privilege(service, 'session_replication_role', 'SET')),
  ('it may create temporary tables', has_database_privilege(service, current_database(), 'TEMPORARY')),
  ('it may create schemas', has_database_privilege(service, current_database(), 'CREATE')),
  ('it may create objects in the schema', has_schema_privilege(service, current_schema(), 'CREATE')),
  ('it may write history', has_table_privilege(service, to_regclass('history'), 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER')),
  ('it may write events', has_table_privilege(service, to_regclass('events'), 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER')),
  ('it may write deletions', has_table_privilege(service, to_regclass('deletions'), 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER'))
) AS possible (reason, applies) WHERE applies) AS excess
  FROM (SELECT current_user AS service) AS session;

-- bulk_wait_briefly
--   How long a bulk waits for a lock after it has waited for another one in vain.
SELECT set_config('lock_timeout', '50ms', true);

-- author
--   the first statements of each transaction
SELECT set_config('waybill.author', $1, true), pg_current_xact_id()::text AS id;
