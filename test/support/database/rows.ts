import type { Client } from 'pg';

/** Inserts many moves, each with a shipment, an agent and a service, directly into the tables. */
export async function insertFamilies(sql: Client, count: number, name: string): Promise<void> {
  await sql.query('CREATE SEQUENCE IF NOT EXISTS test_codes');
  await sql.query(
    `WITH new_moves AS (
       INSERT INTO moves (id, move_code, order_id)
       SELECT uuidv7(), translate(lpad(nextval('test_codes')::text, 6, '0'), '01', 'XY'), $2
       FROM generate_series(1, $1::int) RETURNING id
     ), new_shipments AS (
       INSERT INTO shipments (id, move_id, shipment_type, status)
       SELECT uuidv7(), id, $2, 'SUBMITTED' FROM new_moves RETURNING id
     ), new_agents AS (
       INSERT INTO agents (id, shipment_id, agent_type, first_name, phone)
       SELECT uuidv7(), id, 'RELEASING_AGENT', 'Ada', '555-0100' FROM new_shipments
     )
     INSERT INTO services (id, shipment_id, code) SELECT uuidv7(), id, 'PACK' FROM new_shipments`,
    [count, name],
  );
}
