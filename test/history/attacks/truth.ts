import type { Client } from 'pg';

const RECORDS = ['move', 'shipment', 'agent', 'service']
  .map(
    (kind) => `
      SELECT '${kind}' AS kind, id, decode(etag_of(updated_at), 'hex') AS e_tag, created_at,
        jsonb_strip_nulls(to_jsonb(r)) AS record
      FROM ${kind}s r`,
  )
  .join(' UNION ALL ');

interface Entry {
  readonly changed_by: string;
  readonly changed_at: Date;
}

export async function clockOf(owner: Client): Promise<number> {
  const { rows } = await owner.query<{ now: Date }>('SELECT now_ms() AS now');
  return Number(rows[0]?.now);
}

export async function entriesOf(owner: Client): Promise<Entry[]> {
  return (await owner.query<Entry>('SELECT * FROM history ORDER BY position')).rows;
}

/** The records whose last entry in history is not what they are; of removed ones, those whose last entry says otherwise. */
export async function liesOf(owner: Client): Promise<unknown[]> {
  // Moments are compared as moments: in JSON they have the time zone of the session that wrote them.
  const { rows } = await owner.query<object>(`
    WITH stored AS (${RECORDS}),
    last AS (SELECT DISTINCT ON (record_id) * FROM history ORDER BY record_id, position DESC)
    SELECT coalesce(last.record_id, stored.id) AS id, last.record AS kept, stored.record AS stored
    FROM stored FULL JOIN last ON last.record_id = stored.id
    WHERE CASE WHEN stored.id IS NULL THEN last.type <> 'deleted' ELSE
      (stored.kind, stored.e_tag, stored.created_at, stored.record - '{created_at,updated_at}'::text[]) IS DISTINCT FROM
      (last.record_kind, last.e_tag, (last.record->>'created_at')::timestamptz, last.record - '{created_at,updated_at}'::text[])
    END`);
  return rows;
}

/** Versions that a record had twice. */
export async function repeatedVersions(owner: Client): Promise<unknown[]> {
  const { rows } = await owner.query<object>(`
    SELECT record_id, e_tag FROM history WHERE e_tag IS NOT NULL GROUP BY record_id, e_tag HAVING count(*) > 1`);
  return rows;
}

/** Triggers, functions, owners and rights of the schema. */
export async function guardsOf(owner: Client): Promise<unknown[]> {
  const { rows } = await owner.query<object>(`
    SELECT 'trigger' AS kind, tgrelid::regclass || '.' || tgname AS name, concat(tgenabled, pg_get_triggerdef(oid)) AS definition
      FROM pg_trigger WHERE tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
    UNION ALL SELECT 'function', oid::regprocedure::text, concat_ws(' ', proowner::regrole, proacl::text, pg_get_functiondef(oid))
      FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT 'table', oid::regclass::text, concat_ws(' ', relkind, relowner::regrole, relacl::text, relrowsecurity, relhasrules)
      FROM pg_class WHERE relnamespace = 'public'::regnamespace
    ORDER BY 1, 2`);
  return rows;
}
