import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';
import { ownSearchPath } from './search-path.js';

/** When a shipment violates each condition. A comparison with NULL violates none. */
const VIOLATIONS: Readonly<Record<string, string>> = {
  shipments_shipment_code_check: `NEW.shipment_code !~ '^[A-HJ-NP-Z2-9]{6}-(0[1-9]|[1-9][0-9]{1,9})$'`,
  shipments_shipment_type_check: `NEW.shipment_type = ''`,
  shipments_status_check: `NEW.status <> ALL (
          '{SUBMITTED,APPROVED,DIVERSION_REQUESTED,IN_TRANSIT,CANCELLATION_REQUESTED,REJECTED,CANCELED,DELIVERED}')`,
  shipments_rejection_reason_check: `(NEW.status = 'REJECTED') <> (NEW.rejection_reason IS NOT NULL)`,
  shipments_dates_check: `NEW.pickup_date > NEW.delivery_date`,
  shipments_pickup_address_check: incompleteAddress('NEW.pickup_address'),
  shipments_destination_address_check: incompleteAddress('NEW.destination_address'),
  shipments_estimated_weight_check: `NEW.estimated_weight NOT BETWEEN 1 AND 1000000`,
  shipments_actual_weight_check: `NEW.actual_weight NOT BETWEEN 1 AND 1000000`,
};

/**
 * The conditions of a shipment as one trigger. PostgreSQL parses the CHECK constraints of a table anew for every statement that writes to
 * it, which was a seventh of its work for an UPDATE; it compiles a function once per session. Errors name the same constraints as before.
 * The table is locked for a moment: nothing is scanned, because the rows have passed the same conditions.
 */
export class ShipmentConditions1763600000500 implements Migration {
  async up(db: QueryRunner): Promise<void> {
    const cases = Object.entries(VIOLATIONS).map(([name, violated]) => `WHEN ${violated} THEN '${name}'`);
    await db.query(`
      CREATE FUNCTION check_shipment() RETURNS trigger LANGUAGE plpgsql ${await ownSearchPath(db)} AS $$
      DECLARE
        violated text := CASE
          ${cases.join('\n          ')}
        END;
      BEGIN
        IF violated IS NOT NULL THEN
          RAISE 'new row for relation "%" violates check constraint "%"', TG_TABLE_NAME, violated
            USING ERRCODE = 'check_violation', CONSTRAINT = violated, TABLE = TG_TABLE_NAME, SCHEMA = TG_TABLE_SCHEMA;
        END IF;
        RETURN NEW;
      END
      $$;
      REVOKE EXECUTE ON FUNCTION check_shipment FROM PUBLIC;

      -- Sorts after the trigger that assigns the code. Not UPDATE OF columns: their types could then not be changed.
      CREATE TRIGGER shipments_valid BEFORE INSERT OR UPDATE ON shipments
        FOR EACH ROW EXECUTE FUNCTION check_shipment();
      ALTER TABLE shipments ${Object.keys(VIOLATIONS)
        .map((name) => `DROP CONSTRAINT ${name}`)
        .join(', ')};
    `);
  }
}

/** An address is complete or absent. */
function incompleteAddress(prefix: string): string {
  const all = ['id', 'street_address1', 'city', 'state', 'postal_code'].map((name) => `${prefix}_${name}`);
  const optional = ['street_address2', 'street_address3', 'country'].map((name) => `${prefix}_${name}`);
  return `num_nulls(${all.join(', ')}) NOT IN (0, 5)
          OR ${prefix}_id IS NULL AND num_nonnulls(${optional.join(', ')}) > 0`;
}
