import type { Statement } from './statement.js';

/**
 * Writes an empty record to the write-ahead log. Once it commits, all earlier commits are on disk and on the synchronous standbys.
 * Readable rows are not always durable: after a crash, PostgreSQL shows commits that no standby has received.
 */
export const WAIT_UNTIL_DURABLE: Statement = {
  name: 'wait_until_durable',
  text: `SELECT pg_logical_emit_message(true, 'waybill', '')`,
};
