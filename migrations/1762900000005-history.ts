import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables whose changes are kept, the kind of record in each, and the record whose history shows them. */
const KEPT = [
  { table: 'moves', kind: 'move', root: 'id' },
  { table: 'shipments', kind: 'shipment', root: 'id' },
  { table: 'agents', kind: 'agent', root: 'shipment_id' },
  { table: 'services', kind: 'service', root: 'shipment_id' },
];

/**
 * One row for each change of a record, written by triggers, so that no way to write can pass it by.
 * It keeps the row as it was after the change (null when it was deleted), by column, without nulls.
 * The author comes from the setting `waybill.author` of the transaction: the request's id, a blank, the subject.
 */
export class History1762900000005 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE history (
        root_id uuid NOT NULL,
        position bigint GENERATED ALWAYS AS IDENTITY,
        record_kind varchar(16) NOT NULL,
        record_id uuid NOT NULL,
        type varchar(16) NOT NULL
          CONSTRAINT history_type_check CHECK (type IN ('created', 'updated', 'statusChanged', 'deleted')),
        e_tag bytea,
        record jsonb,
        changed_by text NOT NULL,
        request_id text,
        changed_at timestamptz(3) NOT NULL,
        CONSTRAINT history_pkey PRIMARY KEY (root_id, position, changed_at)
      ) PARTITION BY RANGE (changed_at)
    `);
    await db.query('CREATE INDEX history_version_idx ON history (record_id, e_tag)');
    await db.query(`
      CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'history is append-only' USING ERRCODE = 'restrict_violation';
      END
      $$
    `);
    await db.query(`
      CREATE TRIGGER history_append_only BEFORE UPDATE OR DELETE ON history
        FOR EACH ROW EXECUTE FUNCTION refuse_change()
    `);
    await db.query(`CREATE TRIGGER history_no_truncate BEFORE TRUNCATE ON history ${REFUSE}`);
    // A month that nobody prepared must not make writes fail. Partitions do not inherit what guards against TRUNCATE.
    await db.query('CREATE TABLE history_default PARTITION OF history DEFAULT');
    await db.query(`CREATE TRIGGER history_no_truncate BEFORE TRUNCATE ON history_default ${REFUSE}`);
    await db.query(prepareHistory());
    await db.query('REVOKE EXECUTE ON FUNCTION prepare_history(timestamptz, timestamptz) FROM PUBLIC');
    await db.query(`SELECT prepare_history(now(), now() + interval '2 months')`);
    for (const { table, kind, root } of KEPT) {
      await db.query(keeper(table, kind, root));
      await db.query(`
        CREATE TRIGGER ${table}_history AFTER INSERT OR UPDATE OR DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION keep_${kind}()
      `);
      await db.query(`
        INSERT INTO history (root_id, record_kind, record_id, type, e_tag, record, changed_by, changed_at)
        SELECT ${root}, '${kind}', id, 'created', decode(etag_of(updated_at), 'hex'),
          jsonb_strip_nulls(to_jsonb(r)), 'migration', updated_at
        FROM ${table} r ORDER BY updated_at
      `);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const { table, kind } of KEPT) {
      await db.query(`DROP TRIGGER ${table}_history ON ${table}`);
      await db.query(`DROP FUNCTION keep_${kind}()`);
    }
    await db.query('DROP TABLE history');
    await db.query('DROP FUNCTION prepare_history(timestamptz, timestamptz)');
    await db.query('DROP FUNCTION refuse_change()');
  }
}

const REFUSE = 'FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()';

/**
 * Gives every month from `first` to `last`, and every month that already has rows in the default partition, a partition of
 * its own, and moves those rows into it. It is made beside the table and attached, which does not hold up writers of other
 * months; who reads history waits until it ends, because a read locks the default partition too. Replicas that do it
 * together wait for each other. Only the owner may alter the table, so the function runs as its owner. A later migration adds
 * locks: one before it looks for months, and one before it makes the partition of a month.
 */
export function prepareHistory(path = 'SET search_path FROM CURRENT', locks = { first: '', ofMonth: '' }): string {
  return `
    CREATE OR REPLACE FUNCTION prepare_history(first timestamptz, last timestamptz) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER ${path} SET timezone = 'UTC' AS $$
    DECLARE
      month timestamptz;
      part text;
      moved bigint;
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtext('prepare_history'));
      ${locks.first}
      FOREACH month IN ARRAY ARRAY(
        SELECT generate_series(date_trunc('month', first), last, '1 month')
        UNION SELECT date_trunc('month', changed_at) FROM history_default
        ORDER BY 1
      ) LOOP
        part := 'history_' || to_char(month, 'YYYY_MM');
        CONTINUE WHEN to_regclass(part) IS NOT NULL;
        ${locks.ofMonth}
        -- Whoever writes an entry of this month right now is waited for; who comes later writes into the new partition.
        LOCK TABLE history_default IN ACCESS EXCLUSIVE MODE;
        EXECUTE format('CREATE TABLE %I (LIKE history INCLUDING STORAGE INCLUDING COMPRESSION INCLUDING CONSTRAINTS)', part);
        EXECUTE format(
          'INSERT INTO %I SELECT * FROM history_default WHERE changed_at >= $1 AND changed_at < $1 + interval ''1 month''',
          part
        ) USING month;
        GET DIAGNOSTICS moved = ROW_COUNT;
        IF moved > 0 THEN
          ALTER TABLE history_default DISABLE TRIGGER history_append_only;
          DELETE FROM history_default WHERE changed_at >= month AND changed_at < month + interval '1 month';
          ALTER TABLE history_default ENABLE TRIGGER history_append_only;
        END IF;
        EXECUTE format(
          'ALTER TABLE history ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part, month, month + interval '1 month'
        );
        EXECUTE format('CREATE TRIGGER history_no_truncate BEFORE TRUNCATE ON %I ${REFUSE}', part);
      END LOOP;
    END
    $$
  `;
}

/** The trigger function of one table, written out for it because looking columns up by name would cost every write. */
function keeper(table: string, kind: string, root: string): string {
  const updated =
    table === 'shipments' ? `CASE WHEN NEW.status <> OLD.status THEN 'statusChanged' ELSE 'updated' END` : `'updated'`;
  return `
    CREATE FUNCTION keep_${kind}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      author text := current_setting('waybill.author', true);
      request text := nullif(split_part(author, ' ', 1), '');
      subject text := coalesce(nullif(substr(author, length(request) + 2), ''), 'sql:' || session_user);
    BEGIN
      IF TG_OP = 'DELETE' THEN
        INSERT INTO history (root_id, record_kind, record_id, type, changed_by, request_id, changed_at)
        VALUES (OLD.${root}, '${kind}', OLD.id, 'deleted', subject, request, now_ms());
      ELSE
        INSERT INTO history (root_id, record_kind, record_id, type, e_tag, record, changed_by, request_id, changed_at)
        VALUES (
          NEW.${root}, '${kind}', NEW.id,
          CASE TG_OP WHEN 'INSERT' THEN 'created' ELSE ${updated} END,
          decode(etag_of(NEW.updated_at), 'hex'), jsonb_strip_nulls(to_jsonb(NEW)), subject, request, NEW.updated_at
        );
      END IF;
      RETURN NULL;
    END
    $$
  `;
}
