import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Responses stored for an Idempotency-Key, in the transaction of their write. */
export class IdempotencyKeys1763400000005 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE idempotency_keys (
        caller text NOT NULL,
        method text NOT NULL,
        path text NOT NULL,
        key text NOT NULL,
        fingerprint bytea NOT NULL,
        status integer NOT NULL,
        headers json NOT NULL,
        body text,
        created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
        CONSTRAINT idempotency_keys_pkey PRIMARY KEY (caller, method, path, key)
      );
      CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE idempotency_keys');
  }
}
