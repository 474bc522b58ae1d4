import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Moves1763400000003 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE moves (
        id uuid CONSTRAINT moves_pkey PRIMARY KEY,
        move_code varchar(6) NOT NULL
          CONSTRAINT moves_move_code_key UNIQUE
          CONSTRAINT moves_move_code_check CHECK (move_code ~ '^[A-HJ-NP-Z2-9]{6}$'),
        order_id varchar(64),
        remarks varchar(2000),
        created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
        updated_at timestamptz(3) NOT NULL DEFAULT now_ms()
      );
      CREATE INDEX moves_order_id_idx ON moves (order_id, id);
      CREATE INDEX moves_updated_at_idx ON moves (updated_at, id);

      SELECT track_changes('moves', 'move', 'id');
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE moves');
  }
}
