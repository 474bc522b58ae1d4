import { getMetadataArgsStorage } from 'typeorm';
import { ALL_RESOURCES } from '../../src/resources.js';

/** The eTag that the record of the entry `h` has now; null when there is no such record. */
const CURRENT_ETAG = `
  CASE h.record_kind ${ALL_RESOURCES.map(({ name, entity }) => {
    return `WHEN '${name}' THEN (SELECT etag_of(r.updated_at) FROM ${tableOf(entity)} r WHERE r.id = h.record_id)`;
  }).join(' ')} END`;

/** Whether the entry `h` has values of a former version. The current version of a record is kept: it is not history yet. */
export const HAS_FORMER_VALUES = `
  h.type <> 'erased' AND NOT (h.erased AND (h.record IS NULL OR h.record ? 'erased'))
  AND coalesce(encode(h.e_tag, 'hex') <> ${CURRENT_ETAG}, true)`;

/** What stays of the record of the entry `h`: the move that a shipment belongs to, by which its events are found. */
export const REDACTED_RECORD = `
  CASE WHEN h.record IS NOT NULL
  THEN jsonb_strip_nulls(jsonb_build_object('erased', true, 'move_id', h.record -> 'move_id')) END`;

/** The subject that made the change of the entry `h`. */
export const AUTHOR = 'coalesce(h.subject, h.changed_by)';

/** Stands in the place of an author. The trigger that protects history knows it by this name, too. */
export const ERASED_AUTHOR = `changed_by = 'erased', subject = NULL, erased = true`;

export const ERASED_CREATOR = `record = jsonb_set(h.record, '{created_by}', '"erased"'), erased = true`;

export function tableOf(entity: unknown): string {
  const table = getMetadataArgsStorage().tables.find(({ target }) => target === entity);
  if (table?.name === undefined) throw new Error('An entity names its table');
  return table.name;
}
