import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ownSearchPath } from './search-path.js';

/**
 * Moves, and their shipments with two addresses each. Every list is a scan of one of these indexes; a shipment without a date sorts last.
 *
 * A shipment's code is the code of its move and a number that counts up within the move. The row of shipment_numbers is locked until the
 * creation commits, so numbers have no gaps and creations in other moves do not wait. It is not part of the move, whose version stays. It
 * also outlives the move: should a new move draw the code of a deleted one, its shipments continue the numbers.
 */
export class MovesAndShipments1763400000003 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    const searchPath = await ownSearchPath(db);
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

      CREATE TABLE shipments (
        id uuid CONSTRAINT shipments_pkey PRIMARY KEY,
        shipment_code varchar(17) NOT NULL
          CONSTRAINT shipments_shipment_code_key UNIQUE
          CONSTRAINT shipments_shipment_code_check CHECK (shipment_code ~ '^[A-HJ-NP-Z2-9]{6}-(0[1-9]|[1-9][0-9]{1,9})$'),
        move_id uuid NOT NULL CONSTRAINT shipments_move_id_fkey REFERENCES moves (id),
        shipment_type varchar(64) NOT NULL CONSTRAINT shipments_shipment_type_check CHECK (shipment_type <> ''),
        -- As one constant: PostgreSQL parses the conditions of a table for every statement that writes to it.
        status varchar(32) NOT NULL CONSTRAINT shipments_status_check CHECK (status = ANY (
          '{SUBMITTED,APPROVED,DIVERSION_REQUESTED,IN_TRANSIT,CANCELLATION_REQUESTED,REJECTED,CANCELED,DELIVERED}'
        )),
        rejection_reason varchar(2000),
        pickup_date date,
        delivery_date date,
        ${addressColumns('pickup_address')},
        ${addressColumns('destination_address')},
        estimated_weight integer
          CONSTRAINT shipments_estimated_weight_check CHECK (estimated_weight BETWEEN 1 AND 1000000),
        actual_weight integer
          CONSTRAINT shipments_actual_weight_check CHECK (actual_weight BETWEEN 1 AND 1000000),
        customer_remarks varchar(2000),
        created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
        updated_at timestamptz(3) NOT NULL DEFAULT now_ms(),
        CONSTRAINT shipments_rejection_reason_check CHECK ((status = 'REJECTED') = (rejection_reason IS NOT NULL)),
        CONSTRAINT shipments_dates_check CHECK (pickup_date <= delivery_date),
        CONSTRAINT shipments_pickup_address_check CHECK (${wholeAddress('pickup_address')}),
        CONSTRAINT shipments_destination_address_check CHECK (${wholeAddress('destination_address')})
      );
      CREATE INDEX shipments_move_id_idx ON shipments (move_id, id);
      CREATE INDEX shipments_status_idx ON shipments (status, id);
      CREATE INDEX shipments_shipment_type_idx ON shipments (shipment_type, id);
      CREATE INDEX shipments_updated_at_idx ON shipments (updated_at, id);
      -- They include the columns of their expressions, without which PostgreSQL would not count from the index alone.
      CREATE INDEX shipments_pickup_idx ON shipments (status, coalesce(pickup_date, 'infinity'), id) INCLUDE (pickup_date);
      CREATE INDEX shipments_delivery_idx ON shipments (status, coalesce(delivery_date, 'infinity'), id) INCLUDE (delivery_date);

      CREATE TABLE shipment_numbers (
        move_code varchar(6) CONSTRAINT shipment_numbers_pkey PRIMARY KEY,
        last integer NOT NULL
      );
      CREATE FUNCTION assign_shipment_code() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER ${searchPath} AS $$
      BEGIN
        INSERT INTO shipment_numbers SELECT move_code, 1 FROM moves WHERE id = NEW.move_id
        ON CONFLICT (move_code) DO UPDATE SET last = shipment_numbers.last + 1
        RETURNING move_code || '-' || lpad(last::text, greatest(2, length(last::text)), '0') INTO NEW.shipment_code;
        IF NOT FOUND THEN
          RAISE 'there is no move %', NEW.move_id USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'shipments_move_id_fkey';
        END IF;
        RETURN NEW;
      END
      $$;
      REVOKE EXECUTE ON FUNCTION assign_shipment_code FROM PUBLIC;
      -- Sorts before the trigger of the version: created_at is the moment after the wait for the number. The seed and a restore bring their codes.
      CREATE TRIGGER shipments_code BEFORE INSERT ON shipments
        FOR EACH ROW WHEN (NEW.shipment_code IS NULL) EXECUTE FUNCTION assign_shipment_code();

      SELECT track_changes('moves', 'move', 'id'), track_changes('shipments', 'shipment', 'id');
      CREATE TRIGGER shipments_code_kept BEFORE UPDATE OF shipment_code, move_id ON shipments
        FOR EACH ROW EXECUTE FUNCTION keep_identity('code and its move');
      CREATE TRIGGER moves_code_kept BEFORE UPDATE OF move_code ON moves
        FOR EACH ROW EXECUTE FUNCTION keep_identity('code');
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE shipments, shipment_numbers, moves; DROP FUNCTION assign_shipment_code');
  }
}

function addressColumns(prefix: string): string {
  return `
    ${prefix}_id uuid,
    ${prefix}_street_address1 varchar(255),
    ${prefix}_street_address2 varchar(255),
    ${prefix}_street_address3 varchar(255),
    ${prefix}_city varchar(100),
    ${prefix}_state varchar(64),
    ${prefix}_postal_code varchar(20),
    ${prefix}_country varchar(64)`;
}

/** An address is complete or absent. */
function wholeAddress(prefix: string): string {
  return `
    num_nulls(${prefix}_id, ${prefix}_street_address1, ${prefix}_city, ${prefix}_state, ${prefix}_postal_code) IN (0, 5)
    AND (
      ${prefix}_id IS NOT NULL
      OR num_nonnulls(${prefix}_street_address2, ${prefix}_street_address3, ${prefix}_country) = 0
    )`;
}
