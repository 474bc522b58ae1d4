import type { Check } from './check.js';
import { LOCK_CHECKS } from './lock-checks.js';
import { SESSION_CHECKS } from './session-checks.js';
import { failureOf } from './sessions.js';

const RECORDS = 'records';

const SCHEMA_CHECKS: Check[] = [
  {
    name: 'takes writes',
    without: 'it is a standby or read-only: the service returns 503 until DATABASE_URL points to the primary',
    async run(sessions) {
      await sessions.createSchema();
      await sessions.first.query(
        `CREATE TABLE ${sessions.schema}.${RECORDS} (id int PRIMARY KEY, updated_at timestamptz(3) NOT NULL DEFAULT now(), note text)`,
      );
      return true;
    },
  },
  {
    name: 'stores any Unicode text',
    without: `create the database with ENCODING 'UTF8': the service requires it`,
    async run({ first }) {
      const { rows } = await first.query<{ encoding: string }>(`SELECT current_setting('server_encoding') AS encoding`);
      return rows[0]?.encoding === 'UTF8';
    },
  },
  {
    name: 'row triggers make each version later than the one before',
    without: 'eTags could repeat: two writers with one eTag could both succeed',
    async run({ first, schema }) {
      await first.query(`
        CREATE FUNCTION ${schema}.next_version() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          NEW.updated_at := greatest(date_trunc('milliseconds', clock_timestamp()), OLD.updated_at + interval '1 millisecond');
          RETURN NEW;
        END $$`);
      await first.query(`
        CREATE TRIGGER version BEFORE UPDATE ON ${schema}.${RECORDS} FOR EACH ROW EXECUTE FUNCTION ${schema}.next_version()`);
      await first.query(
        `INSERT INTO ${schema}.${RECORDS} (id, updated_at) VALUES (1, now() + interval '1 hour'), (2, now())`,
      );
      const versions = new Set<string>();
      for (let turn = 0; turn < 5; turn += 1) {
        // As a number, because pg parses timestamps only in the ISO DateStyle.
        const { rows } = await first.query<{ version: string }>(
          `UPDATE ${schema}.${RECORDS} SET note = 'x' WHERE id = 1 RETURNING extract(epoch FROM updated_at) AS version`,
        );
        versions.add(rows[0]?.version ?? '');
      }
      return versions.size === 5;
    },
  },
  {
    name: 'statement triggers keep history append-only, with the rights of its owner',
    without: 'history could be changed or emptied, and writes could bypass it',
    async run({ first, schema }) {
      await first.query(`CREATE TABLE ${schema}.log (id int)`);
      await first.query(`
        CREATE FUNCTION ${schema}.refuse() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN RAISE EXCEPTION 'append-only' USING ERRCODE = 'restrict_violation'; END $$`);
      await first.query(`
        CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ${schema}.log
        FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.refuse()`);
      const failures = [];
      for (const statement of ['UPDATE ?.log SET id = 1', 'DELETE FROM ?.log', 'TRUNCATE ?.log']) {
        failures.push(await failureOf(first.query(statement.replace('?', schema))));
      }
      return failures.every((code) => code === '23001');
    },
  },
  {
    name: 'partitions by month, with a default, detached and attached',
    without: 'old months of history could not be archived',
    async run({ first, schema }) {
      await first.query(`CREATE TABLE ${schema}.months (at timestamptz NOT NULL) PARTITION BY RANGE (at)`);
      await first.query(`CREATE TABLE ${schema}.others PARTITION OF ${schema}.months DEFAULT`);
      await first.query(
        `CREATE TABLE ${schema}.may PARTITION OF ${schema}.months FOR VALUES FROM ('2026-05-01Z') TO ('2026-06-01Z')`,
      );
      await first.query(`INSERT INTO ${schema}.months VALUES ('2026-05-02Z'), ('2020-01-01Z')`);
      await first.query(`ALTER TABLE ${schema}.months DETACH PARTITION ${schema}.may`);
      await first.query(
        `ALTER TABLE ${schema}.months ATTACH PARTITION ${schema}.may FOR VALUES FROM ('2026-05-01Z') TO ('2026-06-01Z')`,
      );
      const { rows } = await first.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${schema}.months`);
      return rows[0]?.count === 2;
    },
  },
  {
    name: 'concurrent index creation',
    without: 'writers wait while a migration creates an index on a large table',
    async run({ first, schema }) {
      await first.query(`CREATE INDEX CONCURRENTLY ON ${schema}.${RECORDS} (note)`);
      return true;
    },
  },
  {
    name: 'SHA-256 and JSON functions',
    without: 'the service cannot compute eTags or responses',
    async run({ first }) {
      const { rows } = await first.query<{ tag: string }>(
        `SELECT encode(sha256(convert_to(row_to_json(r)::text, 'UTF8')), 'hex') AS tag FROM (SELECT 1 AS a) AS r`,
      );
      return rows[0]?.tag === '015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862';
    },
  },
];

/** In this order: the first check creates the schema that the others use. */
export const CHECKS: readonly Check[] = [...SCHEMA_CHECKS, ...LOCK_CHECKS, ...SESSION_CHECKS];
