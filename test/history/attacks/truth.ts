import type { Client } from 'pg';

const RECORDS = ['move', 'shipment', 'agent', 'service']
  .map(
    (kind) => `
      SELECT '${kind}' AS kind, id, decode(etag_of(updated_at), 'hex') AS e_tag, created_at,
        jsonb_strip_nulls(to_jsonb(r)) AS record
      FROM ${kind}s r`,
  )
  .join(' UNION ALL ');

/**
 * The records whose last entry in history is not what they are; of removed ones, those whose last entry says otherwise. Moments are compared
 * as moments: in JSON they have the time zone of the session that wrote them.
 */
const LIES = `
  WITH stored AS (${RECORDS}),
  last AS (SELECT DISTINCT ON (record_id) * FROM history ORDER BY record_id, position DESC)
  SELECT FROM stored FULL JOIN last ON last.record_id = stored.id
  WHERE CASE WHEN stored.id IS NULL THEN last.type <> 'deleted' ELSE
    (stored.kind, stored.e_tag, stored.created_at, stored.record - '{created_at,updated_at}'::text[]) IS DISTINCT FROM
    (last.record_kind, last.e_tag, (last.record->>'created_at')::timestamptz, last.record - '{created_at,updated_at}'::text[])
  END`;

/** Versions that a record had twice. */
const REPEATED = `SELECT FROM history WHERE e_tag IS NOT NULL GROUP BY record_id, e_tag HAVING count(*) > 1`;

/** Triggers, functions, owners and rights of the schema. */
const GUARDS = `
  SELECT concat_ws(' ', tgrelid::regclass, tgname, tgenabled, pg_get_triggerdef(oid)) AS guard
    FROM pg_trigger WHERE tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
  UNION ALL SELECT concat_ws(' ', oid::regprocedure, proowner::regrole, proacl::text, pg_get_functiondef(oid))
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT concat_ws(' ', oid::regclass, relkind, relowner::regrole, relacl::text, relrowsecurity, relhasrules)
    FROM pg_class WHERE relnamespace = 'public'::regnamespace`;

const digestOf = (text: string) => `md5(string_agg(${text}, '' ORDER BY ${text}))`;
const milliseconds = (moment: string) => `(extract(epoch FROM ${moment}) * 1000)::float8`;

/** The stored data at one moment, compared with an earlier one. */
export interface Truth {
  readonly now: number;
  /** The last position in history, and a digest of all entries. */
  readonly position: string;
  readonly entries: string;
  /** A digest of the entries up to the earlier position. */
  readonly earlier: string;
  /** The entries since then. */
  readonly made: readonly { readonly by: string; readonly at: number }[];
  readonly guards: string;
  readonly hasLies: boolean;
  readonly hasRepeatedVersions: boolean;
}

export async function readTruth(owner: Client, since = '0'): Promise<Truth> {
  const { rows } = await owner.query<Truth>(
    `SELECT ${milliseconds('now_ms()')} AS now,
       (SELECT coalesce(max(position), 0)::text FROM history) AS position,
       (SELECT ${digestOf('h::text')} FROM history h) AS entries,
       (SELECT ${digestOf('h::text')} FROM history h WHERE position <= $1) AS earlier,
       (SELECT coalesce(json_agg(json_build_object('by', changed_by, 'at', ${milliseconds('changed_at')}) ORDER BY position), '[]')
        FROM history WHERE position > $1) AS made,
       (SELECT ${digestOf('guard')} FROM (${GUARDS}) guards) AS guards,
       EXISTS (${LIES}) AS "hasLies", EXISTS (${REPEATED}) AS "hasRepeatedVersions"`,
    [since],
  );
  const [truth] = rows;
  if (truth === undefined) throw new Error('Nothing was read');
  return truth;
}
