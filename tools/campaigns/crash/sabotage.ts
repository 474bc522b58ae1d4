/** Faults to be done to the database while the test runs, over and over, to see that it finds them. */
export const SABOTAGES = {
  /** As if a key were kept after its write, in a transaction of its own: a crash in between loses it. */
  keys: 'DELETE FROM idempotency_keys WHERE random() < 0.5',
  /** A way to write that history does not see. */
  history: 'ALTER TABLE shipments DISABLE TRIGGER shipments_history',
  /** As if a write could be half done: the record is changed and its version is not the one that was told. */
  versions: `UPDATE shipments SET actual_weight = 1 WHERE random() < 0.01`,
  /** A change of which nobody knows who made it. */
  authors: `SET session_replication_role = replica; UPDATE history SET changed_by = '' WHERE random() < 0.01`,
  /** An error that clients cannot do anything about. */
  errors: 'ALTER TABLE shipments ADD CONSTRAINT no_multiples CHECK (estimated_weight % 7 <> 0) NOT VALID',
  /** A record that is gone and of which nothing says so. */
  records: `ALTER TABLE shipments DISABLE TRIGGER ALL; DELETE FROM shipments WHERE random() < 0.002; ALTER TABLE shipments ENABLE TRIGGER ALL`,
  /** As if event numbering continued from the largest position and forgot gaps. */
  events: `INSERT INTO events (number, root_id, position, moment, kind, type, record_id)
    SELECT (SELECT max(number) + 1 FROM events), root_id, position, changed_at, record_kind, record_kind || '.' || type, record_id
    FROM history ORDER BY position DESC LIMIT 1
    ON CONFLICT DO NOTHING`,
} as const;
