import { setTimeout as sleep } from 'node:timers/promises';
import type { Check } from './check.js';
import { failureOf } from './sessions.js';

/** Time for a statement to be sent and to wait for its lock. */
const TIME_TO_WAIT_MS = 200;

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';
const SERIALIZATION_FAILURE = '40001';
const UNIQUE_VIOLATION = '23505';

/** Visibility of locks and transactions between sessions. */
export const LOCK_CHECKS: Check[] = [
  {
    name: 'a row lock of one session keeps writers of another waiting',
    without: 'updates are lost: two writers with one eTag both succeed. Do not use this database',
    async run({ first, second, schema }) {
      const lock = `SELECT FROM ${schema}.records WHERE id = 1 FOR NO KEY UPDATE`;
      await first.query('BEGIN');
      await first.query(lock);
      await second.query('BEGIN');
      await second.query(`SET LOCAL lock_timeout = '200ms'`);
      return (await failureOf(second.query(lock))) === LOCK_NOT_AVAILABLE;
    },
  },
  {
    name: 'a writer that waited sees what the other has committed',
    without: 'updates are lost: a writer compares a stale version. Do not use this database',
    async run({ first, second, schema }) {
      await first.query('BEGIN');
      await first.query(`UPDATE ${schema}.records SET note = 'first' WHERE id = 1`);
      await second.query('BEGIN');
      const seen = second.query<{ note: string }>(`SELECT note FROM ${schema}.records WHERE id = 1 FOR NO KEY UPDATE`);
      await sleep(TIME_TO_WAIT_MS);
      await first.query('COMMIT');
      return (await seen).rows[0]?.note === 'first';
    },
  },
  {
    name: 'a row lock lets others insert rows that refer to the row',
    without: 'a request that changes a move blocks new shipments for it',
    async run({ first, second, schema }) {
      await first.query(`CREATE TABLE ${schema}.children (parent int REFERENCES ${schema}.records (id))`);
      await first.query('BEGIN');
      await first.query(`SELECT FROM ${schema}.records WHERE id = 1 FOR NO KEY UPDATE`);
      await second.query('BEGIN');
      await second.query(`SET LOCAL lock_timeout = '200ms'`);
      return (await failureOf(second.query(`INSERT INTO ${schema}.children VALUES (1)`))) === undefined;
    },
  },
  {
    name: 'SKIP LOCKED skips rows that another session has locked',
    without: 'replicas wait for each other during housekeeping',
    async run({ first, second, schema }) {
      await first.query('BEGIN');
      await first.query(`SELECT FROM ${schema}.records WHERE id = 1 FOR UPDATE`);
      const { rows } = await second.query<{ id: number }>(`SELECT id FROM ${schema}.records FOR UPDATE SKIP LOCKED`);
      return rows.length === 1 && rows[0]?.id === 2;
    },
  },
  {
    name: 'transaction-level advisory locks are visible to other sessions and end with the transaction',
    without: 'a request that is sent twice concurrently takes effect twice; replicas migrate at the same time',
    async run({ first, second }) {
      const text = 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS taken';
      const take = async (client: typeof first) =>
        (await client.query<{ taken: boolean }>(text, ['key'])).rows[0]?.taken;
      await first.query('BEGIN');
      await second.query('BEGIN');
      const taken = [await take(first), await take(second)];
      await first.query('ROLLBACK');
      return taken[0] === true && taken[1] === false && (await take(second)) === true;
    },
  },
  {
    name: 'deadlocks are detected',
    without: 'two deadlocked requests end only by timeout',
    async run({ first, second, schema }) {
      const change = (id: number) => `UPDATE ${schema}.records SET note = 'x' WHERE id = ${id}`;
      await first.query('BEGIN');
      await second.query('BEGIN');
      await first.query(change(1));
      await second.query(change(2));
      const failures = await Promise.all([failureOf(first.query(change(2))), failureOf(second.query(change(1)))]);
      return failures.includes(DEADLOCK);
    },
  },
  {
    name: 'serialization errors are reported as such',
    without: 'a conflict that the service could retry returns 500',
    async run({ first, second, schema }) {
      await first.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await first.query(`SELECT FROM ${schema}.records`);
      await second.query(`UPDATE ${schema}.records SET note = 'second' WHERE id = 1`);
      const change = first.query(`UPDATE ${schema}.records SET note = 'first' WHERE id = 1`);
      return (await failureOf(change)) === SERIALIZATION_FAILURE;
    },
  },
  {
    name: 'a violated constraint is reported by SQLSTATE and name, whatever the language of messages (lc_messages)',
    without: 'a duplicate returns 500 instead of 409',
    async run({ first, schema }) {
      const duplicate = first.query(`INSERT INTO ${schema}.records (id) VALUES (1)`);
      const error = await duplicate.then(
        () => undefined,
        (refusal: unknown) => refusal as { code?: string; constraint?: string },
      );
      return error?.code === UNIQUE_VIOLATION && error.constraint === 'records_pkey';
    },
  },
  {
    name: 'COMMIT of a failed transaction returns ROLLBACK',
    without: 'a rolled-back change is reported as written',
    async run({ first }) {
      await first.query('BEGIN');
      await failureOf(first.query('SELECT 1 / 0'));
      return (await first.query('COMMIT')).command === 'ROLLBACK';
    },
  },
  {
    name: 'the outcome of a transaction can be queried by its id',
    without: 'after a lost connection, writes return OUTCOME_UNKNOWN although the outcome could be determined',
    async run({ first, second, schema }) {
      await first.query('BEGIN');
      const { rows } = await first.query<{ id: string }>('SELECT pg_current_xact_id()::text AS id');
      await first.query(`UPDATE ${schema}.records SET note = 'committed' WHERE id = 2`);
      const status = async () => {
        const text = 'SELECT pg_xact_status($1::xid8) AS status';
        return (await second.query<{ status: string }>(text, [rows[0]?.id])).rows[0]?.status;
      };
      const before = await status();
      await first.query('COMMIT');
      return before === 'in progress' && (await status()) === 'committed';
    },
  },
  {
    name: 'snapshots show which transactions are still running',
    without: 'events cannot be numbered without gaps: /v1/events does not work',
    async run({ first, second }) {
      await first.query('BEGIN');
      const { rows } = await first.query<{ id: string }>('SELECT pg_current_xact_id()::text AS id');
      const text = 'SELECT pg_snapshot_xmin(pg_current_snapshot()) <= $1::xid8 AS running';
      return (await second.query<{ running: boolean }>(text, [rows[0]?.id])).rows[0]?.running === true;
    },
  },
  {
    name: 'an empty commit waits for synchronous standbys',
    without: 'writes whose COMMIT got no response return OUTCOME_UNKNOWN',
    async run({ first }) {
      await first.query(`SELECT pg_logical_emit_message(true, 'waybill', '')`);
      return true;
    },
  },
];
