import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';
import { ownSearchPath } from './search-path.js';

/**
 * Proof that a redelivery or replay was committed, and a bound for the attempts of a delivery. A trigger keeps the bound, because replicas
 * of the version before insert attempts, too, and the service's role may not delete any.
 */
export class DeliveryRequests1763500000010 implements Migration {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE webhook_requests (
        id uuid CONSTRAINT webhook_requests_pkey PRIMARY KEY,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      COMMENT ON TABLE webhook_requests IS
        'Pings, redeliveries and replays of the last day. A row proves that the transaction of its request was committed';
      CREATE INDEX webhook_requests_age_idx ON webhook_requests (created_at);

      CREATE FUNCTION keep_newest_attempts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER ${await ownSearchPath(db)} AS $$
      BEGIN
        DELETE FROM webhook_attempts a
        USING (SELECT DISTINCT delivery_id FROM added) d
        WHERE a.delivery_id = d.delivery_id AND a.attempted_at < (
          SELECT attempted_at FROM webhook_attempts WHERE delivery_id = d.delivery_id ORDER BY attempted_at DESC OFFSET 49 LIMIT 1
        );
        RETURN NULL;
      END
      $$;
      COMMENT ON FUNCTION keep_newest_attempts() IS 'Keeps the newest 50 attempts of each delivery';
      REVOKE EXECUTE ON FUNCTION keep_newest_attempts() FROM PUBLIC;

      CREATE TRIGGER webhook_attempts_keep_newest AFTER INSERT ON webhook_attempts
        REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION keep_newest_attempts();
    `);
  }
}
