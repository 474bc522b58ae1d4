import type { Client } from 'pg';
import { ERASED } from './redaction.js';
import { changeResponses, ERASE_RESPONSE, IS_REDELIVERY } from './stored-responses.js';

/** The entry of the event of a delivery `d`. */
const ENTRY_OF_DELIVERY = `
  JOIN events e ON e.number = d.event_number
  JOIN history h ON h.root_id = e.root_id AND h.position = e.position AND h.changed_at = e.moment`;

/**
 * Erases what receivers answered to the events at these positions: they may repeat what they were sent. Looks up the deliveries webhook by
 * webhook, because their index on events begins with the webhook.
 */
export async function eraseAnswersAt(client: Client, positions: readonly string[]): Promise<number> {
  if (positions.length === 0) return 0;
  const { rowCount } = await client.query(
    `WITH RECURSIVE webhook AS (
       (SELECT webhook_id AS id FROM webhook_deliveries ORDER BY webhook_id LIMIT 1)
       UNION ALL
       SELECT (SELECT webhook_id FROM webhook_deliveries WHERE webhook_id > webhook.id ORDER BY webhook_id LIMIT 1)
       FROM webhook WHERE webhook.id IS NOT NULL
     )
     UPDATE webhook_attempts SET answer = NULL
     WHERE answer IS NOT NULL AND delivery_id IN (
       SELECT d.id FROM events e CROSS JOIN webhook
       JOIN webhook_deliveries d ON d.webhook_id = webhook.id AND d.event_number = e.number
       WHERE e.position = ANY ($1::bigint[])
     )`,
    [positions],
  );
  return rowCount ?? 0;
}

/**
 * Whether the attempt `a` sent the entry `h` before its author was erased, as the marker of the erasure tells: its answer was stored afterwards.
 * A receiver has 15 seconds to answer, and the clock of a replica may differ.
 */
const WAS_UNDER_WAY = `(h.changed_by = '${ERASED}' AND EXISTS (
  SELECT FROM history m
  WHERE m.root_id = h.root_id AND m.record_id = h.record_id AND m.type = 'erased' AND a.attempted_at < m.changed_at + interval '1 minute'
))`;

/** The number of answers to events of an author `h`, and of those that were stored after an erasure of their author. */
export async function countAnswers(client: Client, isAuthor: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count
     FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id ${ENTRY_OF_DELIVERY}
     WHERE a.answer IS NOT NULL AND (${isAuthor} OR ${WAS_UNDER_WAY})`,
  );
  return rows[0]?.count ?? 0;
}

/** Erases the answers that were stored after an erasure of the author of their event. */
export async function eraseLateAnswers(client: Client): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE webhook_attempts a SET answer = NULL FROM webhook_deliveries d ${ENTRY_OF_DELIVERY}
     WHERE d.id = a.delivery_id AND a.answer IS NOT NULL AND ${WAS_UNDER_WAY}`,
  );
  return rowCount ?? 0;
}

/** Erases stored responses of redelivery that contain answers to events of erased authors. */
export function eraseRedeliveries(client: Client, limit: number): Promise<number> {
  const isErased = `
    status = 202 AND ${IS_REDELIVERY} AND EXISTS (
      SELECT FROM webhook_deliveries d ${ENTRY_OF_DELIVERY}
      WHERE d.id::text = body::json ->> 'id' AND h.changed_by = '${ERASED}'
    )`;
  return changeResponses(client, { changes: ERASE_RESPONSE, condition: isErased, limit });
}
