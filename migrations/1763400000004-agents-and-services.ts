import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The children of a shipment. Each has its own versions; its history is part of the shipment's. */
export class AgentsAndServices1763400000004 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE agents (
        id uuid CONSTRAINT agents_pkey PRIMARY KEY,
        shipment_id uuid NOT NULL CONSTRAINT agents_shipment_id_fkey REFERENCES shipments (id) ON DELETE CASCADE,
        agent_type varchar(32) NOT NULL
          CONSTRAINT agents_agent_type_check CHECK (agent_type IN ('RELEASING_AGENT', 'RECEIVING_AGENT')),
        first_name varchar(100) NOT NULL,
        last_name varchar(100),
        email varchar(254),
        phone varchar(32),
        created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
        updated_at timestamptz(3) NOT NULL DEFAULT now_ms(),
        CONSTRAINT agents_shipment_id_agent_type_key UNIQUE (shipment_id, agent_type),
        CONSTRAINT agents_contact_check CHECK (num_nonnulls(email, phone) > 0)
      );

      CREATE TABLE services (
        id uuid CONSTRAINT services_pkey PRIMARY KEY,
        shipment_id uuid NOT NULL CONSTRAINT services_shipment_id_fkey REFERENCES shipments (id) ON DELETE CASCADE,
        code varchar(32) NOT NULL CONSTRAINT services_code_check CHECK (code <> ''),
        description varchar(2000),
        created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
        updated_at timestamptz(3) NOT NULL DEFAULT now_ms()
      );
      CREATE INDEX services_shipment_id_idx ON services (shipment_id, id);

      SELECT track_changes('agents', 'agent', 'shipment_id'), track_changes('services', 'service', 'shipment_id');
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE services, agents');
  }
}
