import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Webhooks and their deliveries. A webhook is a record with versions and history. Data that changes without a version is in separate
 * tables: the secrets, which therefore cannot get into history or events, and the progress.
 *
 * Every change of a webhook's deliveries (fan-out, claims, results, redelivery and replay) holds the lock of its row in
 * `webhook_progress`. So the first pending delivery of each record is always marked with `is_next`, and no claim exceeds the limit per
 * webhook.
 */
export class Webhooks1763400000009 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE webhooks (
        id uuid CONSTRAINT webhooks_pkey PRIMARY KEY,
        url varchar(2048) NOT NULL,
        types varchar(64)[],
        resource_id uuid,
        move_id uuid,
        payload varchar(8) NOT NULL CONSTRAINT webhooks_payload_check CHECK (payload IN ('thin', 'full')),
        description varchar(2000),
        enabled boolean NOT NULL,
        disabled_reason varchar(16)
          CONSTRAINT webhooks_disabled_reason_check CHECK (disabled_reason IN ('REQUESTED', 'GONE', 'FAILING')),
        disabled_at timestamptz(3),
        scopes varchar(32)[] NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
        updated_at timestamptz(3) NOT NULL DEFAULT now_ms(),
        CONSTRAINT webhooks_disabled_check CHECK (enabled = (disabled_at IS NULL) AND enabled = (disabled_reason IS NULL))
      );

      CREATE TABLE webhook_secrets (
        webhook_id uuid NOT NULL CONSTRAINT webhook_secrets_webhook_id_fkey
          REFERENCES webhooks ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
        secret text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        expires_at timestamptz,
        CONSTRAINT webhook_secrets_pkey PRIMARY KEY (webhook_id, secret)
      );
      COMMENT ON COLUMN webhook_secrets.expires_at IS 'Until when a replaced secret still signs; null for the current one';

      CREATE TABLE webhook_progress (
        webhook_id uuid CONSTRAINT webhook_progress_pkey PRIMARY KEY CONSTRAINT webhook_progress_webhook_id_fkey
          REFERENCES webhooks ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
        position bigint NOT NULL,
        last_delivery_at timestamptz(3),
        failing_since timestamptz(3),
        failure_rate float8
      );
      COMMENT ON COLUMN webhook_progress.position IS 'Events up to this number have their deliveries';
      COMMENT ON COLUMN webhook_progress.failing_since IS 'The first failure after the last success; null after a success';
      COMMENT ON COLUMN webhook_progress.failure_rate IS 'The share of failed attempts, with more weight on recent ones; null before the first';

      CREATE TABLE webhook_deliveries (
        id uuid CONSTRAINT webhook_deliveries_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        position bigint GENERATED ALWAYS AS IDENTITY,
        webhook_id uuid NOT NULL,
        event_number bigint,
        type varchar(33) NOT NULL,
        record_id uuid NOT NULL,
        state varchar(16) NOT NULL DEFAULT 'pending'
          CONSTRAINT webhook_deliveries_state_check CHECK (state IN ('pending', 'delivered', 'failed')),
        is_next boolean NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz(3) NOT NULL DEFAULT now_ms(),
        lease uuid,
        delivered_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
        CONSTRAINT webhook_deliveries_event_key UNIQUE (webhook_id, event_number)
      );
      COMMENT ON COLUMN webhook_deliveries.event_number IS 'The event; null for a ping, which has a record_id of its own';
      COMMENT ON COLUMN webhook_deliveries.is_next IS 'Whether no earlier delivery of the same record is pending';
      COMMENT ON COLUMN webhook_deliveries.attempts IS 'Failures since the delivery was created or requested again';
      COMMENT ON COLUMN webhook_deliveries.next_attempt_at IS 'When it may be claimed; with a lease, when the lease expires';
      COMMENT ON COLUMN webhook_deliveries.delivered_at IS 'The first success';
      CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (webhook_id, next_attempt_at) WHERE state = 'pending' AND is_next;
      CREATE INDEX webhook_deliveries_lease_idx ON webhook_deliveries (webhook_id, next_attempt_at) WHERE lease IS NOT NULL;
      CREATE INDEX webhook_deliveries_record_idx ON webhook_deliveries (webhook_id, record_id, event_number)
        WHERE state = 'pending';
      CREATE INDEX webhook_deliveries_list_idx ON webhook_deliveries (webhook_id, position);
      CREATE INDEX webhook_deliveries_age_idx ON webhook_deliveries (created_at);

      CREATE TABLE webhook_attempts (
        delivery_id uuid NOT NULL CONSTRAINT webhook_attempts_delivery_id_fkey REFERENCES webhook_deliveries ON DELETE CASCADE,
        attempted_at timestamptz(3) NOT NULL,
        status smallint,
        duration_ms integer NOT NULL,
        error text,
        answer text,
        CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery_id, attempted_at)
      );
      COMMENT ON COLUMN webhook_attempts.status IS 'The HTTP status; null without an answer';
      COMMENT ON COLUMN webhook_attempts.answer IS 'The first kilobyte of the answer';

      SELECT track_changes('webhooks', 'webhook', 'id');
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE webhook_attempts, webhook_deliveries, webhook_progress, webhook_secrets, webhooks');
  }
}
