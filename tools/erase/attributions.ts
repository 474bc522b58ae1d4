import type { Client } from 'pg';
import { CHANGED_BY_OTHERS } from '../../src/imports/dto/import-row.dto.js';
import { IMPORTS } from '../../src/model/import.entity.js';
import { ERASED, TABLES_WITH_CREATOR } from './redaction.js';

/** A refused row names who made the change that it conflicts with: the entry `h` of the change `c`. */
const ATTRIBUTIONS = `
  import_rows r
  CROSS JOIN LATERAL json_array_elements(
    CASE json_typeof(r.problem -> 'members' -> 'changes') WHEN 'array' THEN r.problem -> 'members' -> 'changes' END
  ) AS c
  JOIN history h ON h.root_id = r.record_id AND h.record_id = r.record_id AND h.changed_at = (c ->> 'changedAt')::timestamptz`;

interface NamingRow {
  readonly line: number;
  readonly problem: string;
  readonly times: readonly string[];
}

interface Change {
  readonly changedAt?: string;
}

/** The imports with rows that name authors whose entries are erased. */
export async function importsNamingErased(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT DISTINCT r.import_id AS id FROM ${ATTRIBUTIONS} WHERE h.changed_by = '${ERASED}'`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Erases the authors in the rows of an import, and in the stored response to its upload, whose entries in history are erased. It needs no
 * name, so it also finds what an interrupted erasure or a request in flight has left.
 */
export async function eraseAttributions(
  client: Client,
  importID: string,
): Promise<{ rows: number; responses: number }> {
  await client.query('SELECT FROM imports WHERE id = $1 FOR NO KEY UPDATE', [importID]);
  const { rows: naming } = await client.query<NamingRow>(
    `SELECT r.line, min(r.problem::text) AS problem, array_agg(c ->> 'changedAt') AS times
     FROM ${ATTRIBUTIONS} WHERE r.import_id = $1 AND h.changed_by = '${ERASED}' GROUP BY r.line`,
    [importID],
  );
  const rewritten = naming.map(({ line, problem, times }) => ({
    line,
    before: problem,
    after: redacted(problem, times),
  }));
  const changed = rewritten.filter(({ before, after }) => before !== after);
  await client.query(
    `UPDATE import_rows r SET problem = v.problem::json FROM unnest($2::int[], $3::text[]) AS v (line, problem)
     WHERE r.import_id = $1 AND r.line = v.line`,
    [importID, changed.map(({ line }) => line), changed.map(({ after }) => after)],
  );
  const responses = await eraseInUpload(client, importID, new Set(naming.flatMap(({ times }) => times)));
  return { rows: changed.length, responses };
}

function redacted(problem: string, times: readonly string[]): string {
  return JSON.stringify(
    JSON.parse(problem, (_, value: unknown) => {
      const isErased = isObject(value) && times.includes((value as Change).changedAt ?? '');
      return isErased ? { ...value, changedBy: ERASED } : value;
    }),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The response to an upload has the names in its texts. */
async function eraseInUpload(client: Client, importID: string, times: ReadonlySet<string>): Promise<number> {
  const { rows } = await client.query<{ place: string; body: string }>(
    `SELECT ctid::text AS place, body FROM idempotency_keys
     WHERE path = $1 AND position('"id":"' || $2::text || '"' IN body) > 0 FOR UPDATE`,
    [IMPORTS.path, importID],
  );
  let count = 0;
  for (const { place, body } of rows) {
    const named = new RegExp(`(${CHANGED_BY_OTHERS} by )(?:[^"\\\\]|\\\\.)*?( at ([-0-9T:.]+Z))`, 'g');
    const after = body.replace(named, (whole, before: string, end: string, time: string) => {
      return times.has(time) ? before + ERASED + end : whole;
    });
    if (after === body) continue;
    await client.query('UPDATE idempotency_keys SET body = $2 WHERE ctid = $1::tid', [place, after]);
    count += 1;
  }
  return count;
}

/** Erases the creators in stored responses of records whose creator is erased. */
export async function eraseCreatorsInResponses(client: Client): Promise<number> {
  let count = 0;
  for (const table of TABLES_WITH_CREATOR.values()) {
    const { rowCount } = await client.query(
      `UPDATE idempotency_keys SET body = regexp_replace(body, '"createdBy":"([^"\\\\]|\\\\.)*"', '"createdBy":"${ERASED}"')
       WHERE position('"createdBy":' IN body) > 0 AND position('"createdBy":"${ERASED}"' IN body) = 0
         AND EXISTS (SELECT FROM ${table} r WHERE r.created_by = '${ERASED}' AND position('"id":"' || r.id || '"' IN body) > 0)`,
    );
    count += rowCount ?? 0;
  }
  return count;
}
