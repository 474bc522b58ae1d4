import { escapeLiteral } from 'pg';
import { namedStatement } from './statement.js';

/** Tables, each with the rights on it that the service's role needs, such as `SELECT,INSERT`. */
export type TableRights = Readonly<Record<string, string>>;

const OF_EVERY_RECORD: TableRights = {
  history: 'SELECT',
  events: 'SELECT',
  search: 'SELECT',
  list_marks: 'SELECT',
  deletions: 'SELECT',
  undeletions: 'INSERT',
  search_progress: 'SELECT',
  seeded_entries: 'SELECT',
  migrations: 'SELECT',
  idempotency_keys: 'SELECT,INSERT,UPDATE,DELETE',
};

/**
 * Every right that the service's role needs, one row each: what `npm run migrate` grants is what readiness verifies. `own` are the tables
 * that only some kinds of records have.
 *
 * The tables of records are those whose versions a trigger advances. The service reads history, deletions, events and search words;
 * triggers and functions that run with the owner's rights write them. It names a deletion to undo. Such functions that the service can call take no arguments.
 */
export function neededRights(own: TableRights): string {
  return `
  SELECT DISTINCT 'TABLE' AS kind, tgrelid AS object, tgrelid::regclass::text AS name, privilege
  FROM pg_trigger CROSS JOIN unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) AS privilege
  WHERE tgfoid = to_regprocedure('advance_version()')
  UNION ALL
  SELECT 'TABLE', to_regclass(name)::oid, name, privilege
  FROM (VALUES
    ${Object.entries({ ...OF_EVERY_RECORD, ...own })
      .map((row) => `(${row.map(escapeLiteral).join(', ')})`)
      .join(', ')}
  ) AS tables (name, privileges) CROSS JOIN unnest(string_to_array(privileges, ',')) AS privilege
  UNION ALL
  SELECT 'FUNCTION', to_regprocedure(name)::oid, name, 'EXECUTE'
  FROM unnest(ARRAY[
    'prepare_months_ahead()', 'number_events()', 'history_positions()', 'now_ms()', 'iso_ms(timestamptz)',
    'etag_of(timestamptz)', 'search_query_with_codes(text)', 'fold_text(text)', 'index_words()', 'search_backlog()', 'unindexed_words()',
    'raise_version_floor()', 'keep_list_mark()', 'list_mark()'
  ]) AS name`;
}

/** One row: how many migrations have run, the role, and the rights that it lacks, or NULL. */
export function schemaState(own: TableRights): string {
  return `
  SELECT (SELECT count(*)::int FROM migrations) AS migrations, current_user::text AS role,
    (SELECT array_agg(privilege || ' on ' || name ORDER BY name, privilege) FROM (${neededRights(own)}) AS needed
     WHERE CASE kind
       WHEN 'TABLE' THEN has_table_privilege(object, privilege)
       ELSE has_function_privilege(object, privilege)
     END IS NOT TRUE) AS missing`;
}

/** Rights of the role `service` with which it could change the schema or history, or switch off the triggers, one row each. */
export const POSSIBLE_EXCESS = `
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
  ) AS possible (reason, applies)`;

/** One row: the role, and the rights with which it could change history. There are none if the service does not own its tables. */
export const EXCESS_RIGHTS = namedStatement('excess_rights')`
  SELECT service::text AS role, ARRAY(SELECT reason FROM ${POSSIBLE_EXCESS} WHERE applies) AS excess
    FROM (SELECT current_user AS service) AS session`;
