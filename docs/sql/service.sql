-- Written by npm run sql. Statements are named as in spans and in pg_prepared_statements. EXPLAIN (GENERIC_PLAN) takes them as they are.

-- any_move
SELECT id FROM moves LIMIT 1;

-- is_standby
--   Asked of each new connection.
SELECT pg_is_in_recovery() AS standby;

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

-- server_encoding
SELECT current_setting('server_encoding') AS encoding;

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

-- schema_state
--   each readiness check. PostgreSQL does not know its name: it is not prepared.
SELECT (SELECT count(*)::int FROM migrations) AS migrations, current_user::text AS role,
  (SELECT array_agg(privilege || ' on ' || name ORDER BY name, privilege) FROM (
SELECT DISTINCT 'TABLE' AS kind, tgrelid AS object, tgrelid::regclass::text AS name, privilege
FROM pg_trigger CROSS JOIN unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) AS privilege
WHERE tgfoid = to_regprocedure('advance_version()')
UNION ALL
SELECT 'TABLE', to_regclass(name)::oid, name, privilege
FROM (VALUES
  ('history', 'SELECT'), ('events', 'SELECT'), ('search', 'SELECT'), ('list_marks', 'SELECT'), ('deletions', 'SELECT'), ('undeletions', 'INSERT'), ('search_progress', 'SELECT'), ('seeded_entries', 'SELECT'), ('migrations', 'SELECT'), ('idempotency_keys', 'SELECT,INSERT,UPDATE,DELETE'), ('import_rows', 'SELECT,INSERT,UPDATE,DELETE'), ('webhook_secrets', 'SELECT,INSERT,UPDATE,DELETE'), ('webhook_progress', 'SELECT,INSERT,UPDATE'), ('webhook_deliveries', 'SELECT,INSERT,UPDATE,DELETE'), ('webhook_attempts', 'SELECT,INSERT'), ('webhook_requests', 'SELECT,INSERT,DELETE'), ('key_hashes', 'SELECT,INSERT,UPDATE,DELETE'), ('key_progress', 'SELECT,INSERT,UPDATE')
) AS tables (name, privileges) CROSS JOIN unnest(string_to_array(privileges, ',')) AS privilege
UNION ALL
SELECT 'FUNCTION', to_regprocedure(name)::oid, name, 'EXECUTE'
FROM unnest(ARRAY[
  'prepare_months_ahead()', 'number_events()', 'history_positions()', 'now_ms()', 'iso_ms(timestamptz)',
  'etag_of(timestamptz)', 'search_query_with_codes(text)', 'fold_text(text)', 'index_words()', 'search_backlog()', 'unindexed_words()',
  'raise_version_floor()', 'keep_list_mark()', 'list_mark()'
]) AS name) AS needed
   WHERE CASE kind
     WHEN 'TABLE' THEN has_table_privilege(object, privilege)
     ELSE has_function_privilege(object, privilege)
   END IS NOT TRUE) AS missing;
