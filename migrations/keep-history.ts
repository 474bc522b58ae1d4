const OF_WEBHOOKS = `
      IF TG_OP = 'UPDATE' AND kind = 'webhook' THEN
        IF OLD.enabled AND NOT NEW.enabled THEN change := 'disabled'; END IF;
      END IF;`;

/** The history trigger, with the type of change that only webhooks have, or as the migration of history created it. */
export function keepHistory(searchPath: string, { webhooks }: { readonly webhooks: boolean }): string {
  return `
    CREATE OR REPLACE FUNCTION keep_history() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER ${searchPath} AS $$
    DECLARE
      kind text := TG_ARGV[0];
      root text := TG_ARGV[1];
      author text := current_setting('waybill.author', true);
      request text := nullif(split_part(author, ' ', 1), '');
      caller text := substr(author, length(request) + 2);
      subject text := nullif(split_part(caller, E'\\x1f', 1), '');
      name text := nullif(split_part(caller, E'\\x1f', 2), '');
      change text := CASE TG_OP WHEN 'INSERT' THEN 'created' ELSE 'updated' END;
      stored jsonb;
    BEGIN
      IF subject IS NULL THEN
        IF current_setting('application_name') = 'waybill' OR NOT pg_has_role(session_user, current_user, 'MEMBER') THEN
          RAISE EXCEPTION 'a change of % has no author', TG_TABLE_NAME USING ERRCODE = 'restrict_violation',
            HINT = 'Set waybill.author to "<request id> <subject>" in the transaction of the change.';
        END IF;
        subject := 'sql:' || session_user;
      END IF;
      IF TG_OP = 'DELETE' THEN
        INSERT INTO history (root_id, record_kind, record_id, type, changed_by, subject, request_id, changed_at)
        VALUES (
          (to_jsonb(OLD) ->> root)::uuid, kind, OLD.id, 'deleted',
          coalesce(name, subject), CASE WHEN name IS NOT NULL THEN subject END, request,
          -- After the last version, also when the clock was set back.
          greatest(now_ms(), OLD.updated_at + interval '1 millisecond')
        );
        RETURN NULL;
      END IF;
      IF TG_OP = 'UPDATE' AND kind = 'shipment' THEN
        -- A separate statement: only a shipment has a status.
        IF NEW.status <> OLD.status THEN change := 'statusChanged'; END IF;
      END IF;${webhooks ? OF_WEBHOOKS : ''}
      stored := jsonb_strip_nulls(to_jsonb(NEW));
      INSERT INTO history (root_id, record_kind, record_id, type, e_tag, record, changed_by, subject, request_id, changed_at)
      VALUES (
        (stored ->> root)::uuid, kind, NEW.id, change, decode(etag_of(NEW.updated_at), 'hex'), stored,
        coalesce(name, subject), CASE WHEN name IS NOT NULL THEN subject END, request, NEW.updated_at
      );
      RETURN NULL;
    END
    $$;
  `;
}
