import { getMetadataArgsStorage } from 'typeorm';
import { OTHER_AUTHORS } from '../../src/auth/subjects.js';
import { ANONYMOUS } from '../../src/http/request-context.js';
import { ALL_RESOURCES } from '../../src/model/resources.js';

/** The current eTag of the record of entry `h`; null if the record does not exist. */
const CURRENT_ETAG = `
  CASE h.record_kind ${ALL_RESOURCES.map(({ name, entity }) => {
    return `WHEN '${name}' THEN (SELECT etag_of(r.updated_at) FROM ${tableOf(entity)} r WHERE r.id = h.record_id)`;
  }).join(' ')} END`;

/** Whether entry `h` has values of a past version. The current version of a record is not erased. */
export const HAS_FORMER_VALUES = `
  h.type <> 'erased' AND NOT (h.erased AND (h.record IS NULL OR h.record ? 'erased'))
  AND coalesce(encode(h.e_tag, 'hex') <> ${CURRENT_ETAG}, true)`;

/** The redacted record of entry `h` keeps only the move of a shipment, which its events need. */
export const REDACTED_RECORD = `
  CASE WHEN h.record IS NOT NULL
  THEN jsonb_strip_nulls(jsonb_build_object('erased', true, 'move_id', h.record -> 'move_id')) END`;

/** Replaces an author or a creator. The trigger that protects history uses the same value. */
export const ERASED = OTHER_AUTHORS.erased;

/** The subject of the author of an entry. */
export const subjectOf = (entry: string) => `coalesce(${entry}.subject, ${entry}.changed_by)`;

/** Whether nobody verified the author of an entry: the name is what the client said. */
export const isUnverified = (entry: string) => `${subjectOf(entry)} = '${ANONYMOUS.subject}'`;

export const ERASED_AUTHOR = `changed_by = '${ERASED}', subject = NULL, erased = true`;

/** The tables of records that name their creator, by kind. */
export const TABLES_WITH_CREATOR: ReadonlyMap<string, string> = new Map(
  ALL_RESOURCES.filter(({ entity }) =>
    getMetadataArgsStorage().columns.some(
      ({ target, propertyName }) => target === entity && propertyName === 'createdBy',
    ),
  ).map(({ name, entity }) => [name, tableOf(entity)]),
);

export function tableOf(entity: unknown): string {
  const table = getMetadataArgsStorage().tables.find(({ target }) => target === entity);
  if (table?.name === undefined) throw new Error('The entity has no table name');
  return table.name;
}
