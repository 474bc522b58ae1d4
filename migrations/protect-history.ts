/**
 * The trigger that makes history append-only. It permits one kind of change: the redaction of an entry by an erasure. The erasure has a row in
 * `erasures`, names it in `waybill.erasure` for its transaction, and runs with the rights of the owner, but not on a connection of the
 * service. A redaction removes values of the record, or replaces them and the author by "erased", and changes nothing else: not even
 * the owner can write another value this way.
 */
export function protectHistory(searchPath: string): string {
  return `
    CREATE FUNCTION protect_history() RETURNS trigger LANGUAGE plpgsql ${searchPath} AS $$
    DECLARE
      redacted text[] := '{record,changed_by,subject,erased}';
    BEGIN
      IF TG_OP = 'UPDATE' THEN
        IF NEW.erased
          AND current_setting('application_name') <> 'waybill'
          AND pg_has_role(session_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
          AND EXISTS (SELECT FROM erasures WHERE id::text = current_setting('waybill.erasure', true))
          AND to_jsonb(NEW) - redacted = to_jsonb(OLD) - redacted
          AND (
            (NEW.changed_by = OLD.changed_by AND NEW.subject IS NOT DISTINCT FROM OLD.subject)
            OR (NEW.changed_by = 'erased' AND NEW.subject IS NULL)
          )
          AND (NEW.record IS NULL) = (OLD.record IS NULL)
          AND NOT EXISTS (
            SELECT FROM jsonb_each(NEW.record) AS kept
            WHERE value IS DISTINCT FROM OLD.record -> key
              AND NOT (key = 'erased' AND value = 'true') AND NOT (OLD.record ? key AND value = '"erased"')
          )
        THEN
          RETURN NEW;
        END IF;
      END IF;
      RAISE EXCEPTION 'history is append-only' USING ERRCODE = 'restrict_violation';
    END
    $$;
  `;
}
