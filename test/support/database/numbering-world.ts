import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedPostgres } from '@waybill/embedded-postgres';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import type { Client } from 'pg';
import { openDatabase } from '../../../src/open-database.js';
import { readConfig } from '../../../src/config/read-config.js';
import { connect } from './test-database.js';
import { eventually } from '../races/eventually.js';

/** Checks only statements that take longer for a lock they wait for. */
const MAX_STATEMENTS_TAKE_MS = 3;

/**
 * A separate PostgreSQL with a migrated database: a transaction of another spec, in any database of the same server, would keep the
 * sequencer from forgetting gaps.
 */
export async function startNumberingServer(): Promise<EmbeddedPostgres> {
  const server = await startThrowawayPostgres({ autovacuum: 'off' });
  await (await openDatabase(readConfig({}), server.url)).dataSource.destroy();
  return server;
}

/** A database without a service, in which a spec controls numbering and transactions step by step. */
export class NumberingWorld {
  private constructor(
    readonly sql: Client,
    readonly writers: readonly Writer[],
  ) {}

  static async create(server: EmbeddedPostgres, writers: number): Promise<NumberingWorld> {
    const urlOf = (database: string) => server.url.replace('/waybill?', `/${database}?`);
    const name = `world_${randomBytes(4).toString('hex')}`;
    const admin = await open(urlOf('postgres'));
    await admin.query(`CREATE DATABASE ${name} TEMPLATE waybill STRATEGY file_copy`);
    await admin.end();
    const sql = await open(urlOf(name));
    const own = Array.from({ length: writers }, async () => Writer.of(await open(urlOf(name)), sql));
    return new NumberingWorld(sql, await Promise.all(own));
  }

  /** One run of the sequencer. Returns the number of numbered entries, or null if another one holds the lock. */
  async number(): Promise<number | null> {
    const { rows } = await this.sql.query<{ numbered: number | null }>('SELECT number_events() AS numbered');
    return rows[0]?.numbered ?? null;
  }

  /** The recorded gaps. */
  async gaps(): Promise<number> {
    const { rows } = await this.sql.query<{ count: number }>(
      `SELECT coalesce(jsonb_array_length(gaps), 0) AS count FROM events ORDER BY number DESC LIMIT 1`,
    );
    return rows[0]?.count ?? 0;
  }

  /** Errors in the numbering after all transactions have ended. */
  async faults(): Promise<string[]> {
    const { rows } = await this.sql.query<{ fault: string }>(FAULTS);
    return rows.map(({ fault }) => fault);
  }

  /** Open transactions would block the next world. */
  async leave(): Promise<void> {
    await Promise.all([this.sql.end(), ...this.writers.map((writer) => writer.end())]);
  }
}

/** Entries without a number, numbers without an entry, missing numbers, and records whose changes are out of order. */
export const FAULTS = `
  SELECT 'entry ' || h.position || ' has no number' AS fault FROM history h
  WHERE NOT EXISTS (SELECT FROM events e WHERE e.position = h.position AND e.root_id = h.root_id AND e.moment = h.changed_at)
  UNION ALL
  SELECT 'number ' || number || ' has no entry' FROM events e
  WHERE number > 0 AND NOT EXISTS (SELECT FROM history h WHERE h.position = e.position)
  UNION ALL
  SELECT 'there are ' || count(*) || ' numbers up to ' || max(number) FROM events HAVING count(*) <> max(number) + 1
  UNION ALL
  SELECT 'record ' || record_id || ' goes back to position ' || position FROM (
    SELECT h.record_id, h.position, lag(h.position) OVER (PARTITION BY h.record_id ORDER BY e.number) AS before
    FROM events e JOIN history h ON h.position = e.position
  ) chain WHERE before > position`;

/** A transaction that a spec runs step by step. If a step blocks on another transaction, the spec continues. */
export class Writer {
  private waiting: Promise<unknown> | undefined;

  private constructor(
    private readonly client: Client,
    private readonly observer: Client,
    readonly pid: number,
  ) {}

  static async of(client: Client, observer: Client): Promise<Writer> {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return new Writer(client, observer, rows[0]?.pid ?? 0);
  }

  /** Whether the last step is blocked by another transaction. */
  get isBlocked(): boolean {
    return this.waiting !== undefined;
  }

  /** Resolves when the statement is done or waits for a lock. */
  async run(text: string, values: readonly unknown[] = []): Promise<void> {
    const done = this.client.query(text, [...values]).finally(() => (this.waiting = undefined));
    done.catch(() => undefined);
    this.waiting = done;
    await Promise.race([done, sleep(MAX_STATEMENTS_TAKE_MS)]);
    await eventually(async () => !this.isBlocked || (await this.waitsForLock()), 30_000, 'a statement ends or waits');
    if (!this.isBlocked) await done;
  }

  /** Resolves when the blocked step is done, or rejects with its error. */
  async ends(): Promise<void> {
    await this.waiting;
  }

  async waitsForLock(): Promise<boolean> {
    const blocking = 'SELECT cardinality(pg_blocking_pids($1)) AS count';
    const { rows } = await this.observer.query<{ count: number }>(blocking, [this.pid]);
    return (rows[0]?.count ?? 0) > 0;
  }

  /** Begins the transaction and assigns its id. */
  async begin(): Promise<void> {
    await this.run('BEGIN; SELECT pg_current_xact_id()');
  }

  insert(count = 1): Promise<void> {
    return this.run(
      `INSERT INTO moves (id, move_code)
       SELECT gen_random_uuid(), translate(upper(left(md5(random()::text), 6)), '01', 'YZ') FROM generate_series(1, $1)
       ON CONFLICT DO NOTHING`,
      [count],
    );
  }

  update(moveID: string): Promise<void> {
    return this.run('UPDATE moves SET remarks = $2 WHERE id = $1', [moveID, randomUUID()]);
  }

  async end(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }
}

async function open(url: string): Promise<Client> {
  const client = await connect(url);
  client.on('error', () => undefined);
  await client.query(`SET waybill.author = 'r writer'`);
  return client;
}
