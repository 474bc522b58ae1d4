import type { Client } from 'pg';
import { eraseAttributions, eraseCreatorsInResponses, importsNamingErased } from './attributions.js';
import { eraseCreators } from './creators.js';
import { digestOf } from './erasure.js';
import { eraseFileNamesInResponses } from './file-names.js';
import { eraseAnswersAt } from './receiver-answers.js';
import {
  ERASED,
  ERASED_AUTHOR,
  HAS_FORMER_VALUES,
  isUnverified,
  REDACTED_RECORD,
  subjectOf,
  TABLES_WITH_CREATOR,
} from './redaction.js';

/** The creator in entry `h`, if its kind has one. */
const CREATOR = `CASE WHEN h.record_kind IN (${[...TABLES_WITH_CREATOR.keys()].map((kind) => `'${kind}'`).join()}) THEN h.record ->> 'created_by' END`;

/** Whether an erasure `e` applies to the author of an entry. */
const IS_OF_AUTHOR = `(
  e.subject_digest = ${digestOf('e.subject_salt', 'subject')}
  OR (is_unverified AND e.name_digest = ${digestOf('e.subject_salt', 'changed_by')})
)`;

/**
 * Applies all recorded erasures to a month that is being restored, in the same transaction: its file may contain data that was erased
 * after it was written. Returns the number of erased entries, also of other months: the restored one may show who created a record.
 */
export async function applyErasures(client: Client, table: string): Promise<number> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM erasures LIMIT 1');
  if (rows[0] === undefined) return 0;
  await client.query(`SELECT set_config('waybill.erasure', $1, true)`, [rows[0].id]);
  const erased = new Set<string>();
  const note = (entries: readonly { position: string }[]) => entries.forEach(({ position }) => erased.add(position));
  const values = await client.query<{ position: string }>(
    `UPDATE ${table} h SET record = ${REDACTED_RECORD}, erased = true
     WHERE ${HAS_FORMER_VALUES} AND EXISTS (
       SELECT FROM erasures e WHERE e.record_id IN (h.root_id, h.record_id) AND h.position <= e.until_position
     ) RETURNING h.position::text`,
  );
  note(values.rows);
  const { rows: authors } = await client.query<{ changedBy: string; subject: string; until: string }>(
    `SELECT changed_by AS "changedBy", subject, max(e.until_position)::text AS until
     FROM (
       SELECT DISTINCT h.changed_by, ${subjectOf('h')} AS subject, ${isUnverified('h')} AS is_unverified FROM ${table} h
     ) authors JOIN erasures e ON ${IS_OF_AUTHOR} GROUP BY 1, 2`,
  );
  for (const { changedBy, subject, until } of authors) {
    const entries = await client.query<{ position: string }>(
      `UPDATE ${table} h SET ${ERASED_AUTHOR}
       WHERE h.changed_by = $1 AND ${subjectOf('h')} = $2 AND h.position <= $3 RETURNING h.position::text`,
      [changedBy, subject, until],
    );
    note(entries.rows);
  }
  note(await eraseCreators(client, await erasedCreatorsIn(client, table)));
  await eraseAnswersAt(client, [...erased]);
  for (const id of await importsNamingErased(client)) await eraseAttributions(client, id);
  await eraseCreatorsInResponses(client);
  await eraseFileNamesInResponses(client);
  return erased.size;
}

/** The records in the month whose creator is erased: by the entry of the creation, or by the name while that entry is archived. */
async function erasedCreatorsIn(client: Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM (
       SELECT h.record_id AS id, max(h.position) AS position, ${CREATOR} AS creator FROM ${table} h WHERE ${CREATOR} IS NOT NULL GROUP BY 1, 3
     ) named
     WHERE coalesce(
       (SELECT c.changed_by = '${ERASED}' FROM history c WHERE c.root_id = id AND c.record_id = id AND c.type = 'created' LIMIT 1),
       EXISTS (
         SELECT FROM erasures e
         WHERE e.until_position >= named.position
           AND ${digestOf('e.subject_salt', 'creator')} IN (e.subject_digest, e.name_digest)
       )
     )`,
  );
  return [...new Set(rows.map(({ id }) => id))];
}
