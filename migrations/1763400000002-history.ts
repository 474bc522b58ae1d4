import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ownSearchPath } from './search-path.js';

/**
 * History: one row for each change of a record, written by triggers, so that no way to write can bypass it. It is append-only and
 * partitioned by month.
 *
 * A role that may write records can neither write, replace nor avoid entries: the triggers run with the rights of the owner, every function
 * resolves names in this schema first and among temporary objects last, and only the owner can attach these functions to a table.
 */
export class History1763400000002 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    const searchPath = await ownSearchPath(db);
    await db.query(`
      CREATE TABLE history (
        root_id uuid NOT NULL,
        position bigint GENERATED ALWAYS AS IDENTITY,
        record_kind varchar(16) NOT NULL,
        record_id uuid NOT NULL,
        type varchar(16) NOT NULL
          CONSTRAINT history_type_check CHECK (type IN ('created', 'updated', 'statusChanged', 'disabled', 'deleted', 'erased')),
        e_tag bytea,
        record jsonb,
        changed_by text NOT NULL,
        subject text,
        request_id text,
        changed_at timestamptz(3) NOT NULL,
        transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
        erased boolean NOT NULL DEFAULT false,
        CONSTRAINT history_pkey PRIMARY KEY (root_id, position, changed_at)
      ) PARTITION BY RANGE (changed_at);
      COMMENT ON COLUMN history.root_id IS 'The record whose history shows the entry: the record itself, or its shipment';
      COMMENT ON COLUMN history.record IS 'The row after the change, by column, without nulls; null after a deletion';
      COMMENT ON COLUMN history.subject IS 'The subject of the token, where changed_by shows a name for it';
      COMMENT ON COLUMN history.transaction_id IS
        'The transaction of the change. It finds a write whose COMMIT was not answered. Unlike xmin it stays when an entry is moved; after a restore it may be an id of another server';
      COMMENT ON COLUMN history.erased IS 'Values or the author were erased; a record without its values has the key erased';

      CREATE INDEX history_version_idx ON history (record_id, e_tag);
      -- On an expression that only the numbering of events uses. PostgreSQL would also choose an index on the plain column to find the newest entry
      -- of one record, and scan the entries of all records.
      CREATE INDEX history_position_idx ON history ((position + 0));

      CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql ${searchPath} AS $$
      BEGIN
        RAISE EXCEPTION '% is append-only', TG_ARGV[0] USING ERRCODE = 'restrict_violation';
      END
      $$;

      -- The trigger that makes history append-only. It permits one kind of change: the redaction of an entry by an erasure. The erasure has a row in
      -- erasures, names it in waybill.erasure for its transaction, and runs with the rights of the owner, but not on a connection of the service.
      -- A redaction removes values of the record, or replaces them and the author by "erased", and changes nothing else: not even the owner can write
      -- another value this way.
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
      CREATE TRIGGER history_append_only BEFORE UPDATE OR DELETE ON history
        FOR EACH ROW EXECUTE FUNCTION protect_history();
      CREATE TRIGGER history_no_truncate BEFORE TRUNCATE ON history
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('history');

      -- Takes the entries of months that have no partition yet. Partitions do not inherit triggers on TRUNCATE.
      CREATE TABLE history_default PARTITION OF history DEFAULT;
      CREATE TRIGGER history_no_truncate BEFORE TRUNCATE ON history_default
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('history');

      -- The trigger that writes entries. Its arguments are the kind of record and the column that names the root record. waybill.author is
      -- <request id> <subject>, followed by U+001F and a display name if there is one. Without an author, an administrator is recorded by role; the
      -- service, recognized by its application_name or its lack of the owner's rights, is refused.
      CREATE FUNCTION keep_history() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER ${searchPath} AS $$
      DECLARE
        kind text := TG_ARGV[0];
        root text := TG_ARGV[1];
        author text := current_setting('waybill.author', true);
        request text := nullif(split_part(author, ' ', 1), '');
        caller text := substr(author, length(request) + 2);
        subject text := nullif(split_part(caller, E'\\x1f', 1), '');
        name text := nullif(split_part(caller, E'\\x1f', 2), '');
        change text := CASE TG_OP WHEN 'INSERT' THEN 'created' WHEN 'UPDATE' THEN 'updated' ELSE 'deleted' END;
        stored jsonb := jsonb_strip_nulls(to_jsonb(NEW));
      BEGIN
        IF subject IS NULL THEN
          IF current_setting('application_name') = 'waybill' OR NOT pg_has_role(session_user, current_user, 'MEMBER') THEN
            RAISE EXCEPTION 'a change of % has no author', TG_TABLE_NAME USING ERRCODE = 'restrict_violation',
              HINT = 'Set waybill.author to "<request id> <subject>" in the transaction of the change.';
          END IF;
          subject := 'sql:' || session_user;
        END IF;
        -- Nested: a condition is only evaluated for tables that have its columns.
        IF TG_OP = 'UPDATE' AND kind = 'shipment' THEN
          IF NEW.status <> OLD.status THEN change := 'statusChanged'; END IF;
        ELSIF TG_OP = 'UPDATE' AND kind = 'webhook' THEN
          IF OLD.enabled AND NOT NEW.enabled THEN change := 'disabled'; END IF;
        END IF;
        INSERT INTO history (root_id, record_kind, record_id, type, e_tag, record, changed_by, subject, request_id, changed_at)
        VALUES (
          (coalesce(stored, to_jsonb(OLD)) ->> root)::uuid, kind, coalesce(NEW.id, OLD.id), change,
          decode(etag_of(NEW.updated_at), 'hex'), stored,
          coalesce(name, subject), CASE WHEN name IS NOT NULL THEN subject END, request,
          -- A deletion comes after the last version, also when the clock was set back.
          coalesce(NEW.updated_at, greatest(now_ms(), OLD.updated_at + interval '1 millisecond'))
        );
        RETURN NULL;
      END
      $$;

      -- With another id or parent, a record would leave the history that holds its entries.
      CREATE FUNCTION keep_identity() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER ${searchPath} AS $$
      BEGIN
        RAISE EXCEPTION 'a record of % keeps its %', TG_TABLE_NAME, TG_ARGV[0] USING ERRCODE = 'restrict_violation';
      END
      $$;

      -- Gives a table of records its triggers; the migration that creates the table calls it.
      CREATE FUNCTION track_changes(tracked regclass, kind text, root text) RETURNS void
      LANGUAGE plpgsql ${searchPath} AS $$
      DECLARE
        identity text := CASE root WHEN 'id' THEN 'id' ELSE 'id and its ' || root END;
      BEGIN
        EXECUTE format(
          'CREATE TRIGGER %1$s_version BEFORE INSERT OR UPDATE ON %1$s
             FOR EACH ROW EXECUTE FUNCTION advance_version()',
          tracked
        );
        EXECUTE format(
          'CREATE TRIGGER %1$s_identity BEFORE UPDATE ON %1$s
             FOR EACH ROW WHEN (NEW.id <> OLD.id OR NEW.%2$I <> OLD.%2$I) EXECUTE FUNCTION keep_identity(%3$L)',
          tracked, root, identity
        );
        EXECUTE format(
          'CREATE TRIGGER %1$s_history AFTER INSERT OR UPDATE OR DELETE ON %1$s
             FOR EACH ROW EXECUTE FUNCTION keep_history(%2$L, %3$L)',
          tracked, kind, root
        );
      END
      $$;

      -- Creates a partition for every month from first to last, and for every month that has entries in the default partition, and moves those
      -- entries into it. The partition is created separately and then attached, which does not block writers of other months. Concurrent calls wait
      -- for each other.
      --
      -- PostgreSQL plans a statement before it takes the snapshot that the statement reads. A reader that has looked up the partitions of history and
      -- then waits for history_default would not know the new partition, and would no longer find in history_default what was moved out of it. So
      -- history itself is locked before entries are moved: readers then wait before they look up the partitions.
      --
      -- A month that has begun can get entries at any time. A later month has entries only after the clock was ahead, so usually it is prepared
      -- without blocking writers. If an entry turns up nevertheless, everything is undone and done again with history locked. It has to be undone,
      -- because history must be locked before history_default, as readers lock them; the other order could deadlock.
      CREATE FUNCTION prepare_history(first timestamptz, last timestamptz) RETURNS void
      LANGUAGE plpgsql SECURITY DEFINER ${searchPath} SET timezone = 'UTC' AS $$
      DECLARE
        missing timestamptz[];
        month timestamptz;
        part text;
        moved bigint;
        has_entries boolean;
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtext('prepare_history'));
        LOCK TABLE ONLY history IN ACCESS SHARE MODE;
        missing := ARRAY(
          SELECT wanted FROM (
            SELECT generate_series(date_trunc('month', first), last, '1 month')
            UNION SELECT date_trunc('month', changed_at) FROM history_default
          ) AS months (wanted)
          WHERE to_regclass('history_' || to_char(wanted, 'YYYY_MM')) IS NULL ORDER BY 1
        );
        has_entries := missing[1] <= now() OR EXISTS (SELECT FROM history_default);
        LOOP
          BEGIN
            IF has_entries THEN LOCK TABLE ONLY history IN ACCESS EXCLUSIVE MODE; END IF;
            FOREACH month IN ARRAY missing LOOP
              part := 'history_' || to_char(month, 'YYYY_MM');
              -- Waits for transactions that have written entries of this month; later ones write into the new partition.
              LOCK TABLE history_default IN ACCESS EXCLUSIVE MODE;
              EXECUTE format('CREATE TABLE %I (LIKE history INCLUDING STORAGE INCLUDING COMPRESSION INCLUDING CONSTRAINTS)', part);
              EXECUTE format(
                'INSERT INTO %I SELECT * FROM history_default WHERE changed_at >= $1 AND changed_at < $1 + interval ''1 month''',
                part
              ) USING month;
              GET DIAGNOSTICS moved = ROW_COUNT;
              IF moved > 0 THEN
                IF NOT has_entries THEN RAISE EXCEPTION 'history must be locked' USING ERRCODE = 'WB001'; END IF;
                ALTER TABLE history_default DISABLE TRIGGER history_append_only;
                DELETE FROM history_default WHERE changed_at >= month AND changed_at < month + interval '1 month';
                ALTER TABLE history_default ENABLE TRIGGER history_append_only;
              END IF;
              EXECUTE format(
                'ALTER TABLE history ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part, month, month + interval '1 month'
              );
              EXECUTE format(
                'CREATE TRIGGER history_no_truncate BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change(''history'')',
                part
              );
            END LOOP;
            RETURN;
          EXCEPTION WHEN SQLSTATE 'WB001' THEN
            has_entries := true;
          END;
        END LOOP;
      END
      $$;

      -- For the service's role, which owns nothing: without arguments, so the caller cannot choose what is created.
      CREATE FUNCTION prepare_months_ahead() RETURNS void LANGUAGE sql SECURITY DEFINER ${searchPath} AS $$
        SELECT prepare_history(now(), now() + interval '2 months')
      $$;

      -- Erasures of personal data from history: who, when and how much, never what. A subject is stored as a salted digest, which is enough to
      -- recognize it in a month that is restored. The service has no right to this table.
      CREATE TABLE erasures (
        id uuid CONSTRAINT erasures_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        record_id uuid,
        subject_salt bytea,
        subject_digest bytea,
        requested_by text NOT NULL,
        until_position bigint NOT NULL,
        reached_position bigint,
        entries bigint NOT NULL DEFAULT 0,
        import_rows bigint NOT NULL DEFAULT 0,
        kept_answers bigint NOT NULL DEFAULT 0,
        started_at timestamptz(3) NOT NULL DEFAULT now_ms(),
        finished_at timestamptz(3),
        CONSTRAINT erasures_target_check CHECK ((record_id IS NULL) <> (subject_digest IS NULL))
      );
      COMMENT ON COLUMN erasures.until_position IS 'The newest position of history when the erasure began';
      COMMENT ON COLUMN erasures.reached_position IS 'Entries up to this position are done: an interrupted erasure resumes after it';
      CREATE TRIGGER erasures_kept BEFORE DELETE OR TRUNCATE ON erasures
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the list of erasures');

      REVOKE EXECUTE ON FUNCTION refuse_change, protect_history, keep_history, keep_identity, track_changes, prepare_history,
        prepare_months_ahead FROM PUBLIC;

      SELECT prepare_months_ahead();
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE history, erasures;
      DROP FUNCTION prepare_months_ahead, prepare_history, track_changes, keep_identity, keep_history, protect_history, refuse_change;
    `);
  }
}
