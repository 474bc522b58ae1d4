import type { Client } from 'pg';
import { BULK_PATH } from '../../src/bulk/bulk-request.js';
import { IMPORTS } from '../../src/model/import.entity.js';
import { WEBHOOKS } from '../../src/model/webhook.entity.js';
import { PROGRESS } from '../../src/writes/idempotency/idempotency.js';

/** Status of an erased stored response. The service returns 410 for its replay. */
const ERASED_RESPONSE = 410;
export const ERASE_RESPONSE = `status = ${ERASED_RESPONSE}, headers = '{}', body = NULL`;

/** Responses of redelivery contain what the receiver answered before. */
export const IS_REDELIVERY = `path LIKE '${WEBHOOKS.path}/%/redeliver'`;

/** Whether a JSON text contains the record with this id, as opposed to a reference to it. */
const hasRecord = (text: string, id: string) => `position('"id":"' || ${id}::uuid || '"' IN ${text}) > 0`;

/**
 * Whether a stored response contains values of the record $2, whose root is $1, or of its children. A response that only refers to the record
 * does not, such as that of a shipment, which contains the id of its move. An address has an id of its own and the eTag of its shipment, and
 * an upload previews rows of shipments that did not exist yet.
 */
export const HAS_RECORD = `
  status NOT IN (${ERASED_RESPONSE}, ${PROGRESS}) AND body IS NOT NULL AND (
    ${hasRecord('body', '$2')}
    OR ($1::uuid = $2::uuid AND position('"shipmentID":"' || $2::uuid || '"' IN body) > 0)
    OR CASE
      WHEN path LIKE '/v1/mto-shipment/%' THEN EXISTS (
        SELECT FROM history h
        WHERE h.root_id = $1::uuid AND h.record_id = $2::uuid AND encode(h.e_tag, 'hex') = body::json ->> 'eTag'
      )
      WHEN path = '${IMPORTS.path}' THEN EXISTS (
        SELECT FROM import_rows r
        WHERE r.record_id = $2::uuid AND r.import_id::text = idempotency_keys.body::json ->> 'id' AND position('"line":' || r.line || ',' IN idempotency_keys.body) > 0
      )
      WHEN ${IS_REDELIVERY} THEN EXISTS (
        SELECT FROM webhook_deliveries d JOIN events e ON e.number = d.event_number
        WHERE d.id::text = body::json ->> 'id' AND (e.record_id = $2::uuid OR ($1::uuid = $2::uuid AND e.root_id = $1::uuid))
      )
      ELSE false
    END
  )`;

/** Whether it is the progress of an unfinished bulk that contains values of a record. */
export const isProgressWith = (id: string) =>
  `(status = ${PROGRESS} AND path LIKE '%${BULK_PATH}' AND ${hasRecord('body', id)})`;

/**
 * Changes the stored responses that match, at most `limit`, and returns their number. They are locked by a statement of its own: the next one
 * sees what requests have stored that it waited for.
 */
export async function changeResponses(
  client: Client,
  { changes, condition, values = [], limit }: ResponseChange,
): Promise<number> {
  const { rows } = await client.query<{ place: string }>(
    `SELECT ctid::text AS place FROM idempotency_keys WHERE ${condition} LIMIT ${limit} FOR UPDATE`,
    [...values],
  );
  await client.query(`UPDATE idempotency_keys SET ${changes} WHERE ctid = ANY ($1::tid[])`, [
    rows.map(({ place }) => place),
  ]);
  return rows.length;
}

interface ResponseChange {
  readonly changes: string;
  readonly condition: string;
  readonly values?: readonly unknown[];
  readonly limit: number;
}

/**
 * Erases a record from the progress of unfinished bulks. The bulk can still be continued, so the item keeps its status: it must not be
 * executed again.
 */
export async function eraseProgress(client: Client, recordID: string): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE idempotency_keys SET body = (
       SELECT '[' || string_agg(
         CASE WHEN ${hasRecord('item::text', '$1')} THEN json_build_object('status', item -> 'status')::text ELSE item::text END, ',' ORDER BY place
       ) || ']'
       FROM json_array_elements(body::json) WITH ORDINALITY AS items (item, place)
     )
     WHERE ${isProgressWith('$1')}`,
    [recordID],
  );
  return rowCount ?? 0;
}
