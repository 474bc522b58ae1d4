import { escapeLiteral } from 'pg';
import { neededRights, POSSIBLE_EXCESS, type TableRights } from '../../src/database/service-rights.js';

/**
 * Gives a role exactly the rights that the service needs. The owner of the database and of its tables runs this, in one transaction. It
 * fails if the role then still has rights that would let it forge history: a REVOKE by anyone but the grantor only warns, and rights can
 * come through another role.
 */
export function grantServiceRights(role: string, own: TableRights): string {
  return `
    BEGIN;
    SELECT pg_advisory_xact_lock(hashtext('waybill rights')), set_config('waybill.grantee', ${escapeLiteral(role)}, true);
    ${grant(own)}
    COMMIT`;
}

/** A role could use objects of its own, including temporary ones, to mislead functions that run with the owner's rights. */
function grant(own: TableRights): string {
  return `
  DO $grant$
  DECLARE
    service name := current_setting('waybill.grantee');
    needed record;
    excess text;
  BEGIN
    EXECUTE format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC, %I', current_database(), service);
    EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC, %I', current_schema(), service);
    EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM %I', current_schema(), service);
    EXECUTE format('REVOKE ALL ON ALL SEQUENCES IN SCHEMA %I FROM %I', current_schema(), service);
    EXECUTE format('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA %I FROM %I', current_schema(), service);
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), service);
    FOR needed IN ${neededRights(own)} LOOP
      EXECUTE format('GRANT %s ON %s %s TO %I', needed.privilege, needed.kind, needed.name, service);
    END LOOP;
    SELECT string_agg(reason, ', ') INTO excess FROM ${POSSIBLE_EXCESS} WHERE applies;
    IF excess IS NOT NULL THEN
      RAISE EXCEPTION 'The role % has more rights than the service may have: %', service, excess
        USING HINT = 'Migrate as the owner of the database, and revoke other roles from the service''s role.';
    END IF;
  END
  $grant$;`;
}
