import type { Client } from 'pg';
import type { Erasure } from './erasure.js';

export interface ErasedEntry {
  readonly root: string;
  readonly kind: string;
  readonly id: string;
  readonly type: string;
  readonly position: string;
}

export const ERASED_ENTRY = `h.root_id AS root, h.record_kind AS kind, h.record_id AS id, h.type, h.position::text`;

/**
 * Adds an entry of type `erased` for each record, so that readers of the feed learn of it, in the batch that erases the record's last
 * entry. `isLeft` is the condition for entries `h` that are not erased yet.
 */
export async function addMarkers(
  client: Client,
  erasure: Erasure,
  { erased, end, isLeft }: { erased: readonly ErasedEntry[]; end: string; isLeft: string },
): Promise<void> {
  const records = [...new Map(erased.map((entry) => [entry.id, entry])).values()];
  await client.query(
    `INSERT INTO history (root_id, record_kind, record_id, type, record, changed_by, request_id, changed_at)
     SELECT r.root_id, r.kind, r.record_id, 'erased', jsonb_strip_nulls(jsonb_build_object('erased', true, 'move_id', (
         SELECT h.record -> 'move_id' FROM history h
         WHERE h.root_id = r.root_id AND h.record_id = r.record_id AND h.record ? 'move_id' ORDER BY h.position LIMIT 1
       ))), $4, $5, now_ms()
     FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS r (root_id, kind, record_id)
     WHERE NOT EXISTS (
       SELECT FROM history h WHERE h.root_id = r.root_id AND h.record_id = r.record_id
         AND h.position > $6 AND h.position <= $7 AND ${isLeft}
     )`,
    [
      records.map(({ root }) => root),
      records.map(({ kind }) => kind),
      records.map(({ id }) => id),
      erasure.requestedBy,
      erasure.requestID,
      end,
      erasure.until,
    ],
  );
}
