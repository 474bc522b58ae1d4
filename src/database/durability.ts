import type { Statement } from './statement.js';

/**
 * Writes an empty record to the write-ahead log. When the transaction of this statement is answered, everything that was committed
 * before it is as safe as a commit is configured to be: on disk, and at the synchronous standbys. What one can read is not always
 * that safe: after a crash, PostgreSQL shows commits that no standby has received.
 */
export const WAIT_UNTIL_DURABLE: Statement = {
  name: 'wait_until_durable',
  text: `SELECT pg_logical_emit_message(true, 'waybill', '')`,
};
