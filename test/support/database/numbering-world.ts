import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedPostgres } from '@waybill/embedded-postgres';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { Client } from 'pg';
import { openDatabase } from '../../../src/open-database.js';
import { readConfig } from '../../../src/config/config.js';
import { eventually } from '../races/eventually.js';

/** Only a statement that takes longer is worth asking what it waits for. */
const MAX_STATEMENTS_TAKE_MS = 3;

/**
 * A PostgreSQL for the worlds of one spec, whose database is migrated: a transaction of another spec, in whatever database of the same
 * server, would keep gaps from being forgotten.
 */
export async function startNumberingServer(): Promise<EmbeddedPostgres> {
  const server = await startThrowawayPostgres({ autovacuum: 'off' });
  await (await openDatabase(readConfig({}), server.url)).dataSource.destroy();
  return server;
}

/** A database without a service, whose numbering and whose transactions a spec steps through by itself. */
export class NumberingWorld {
  private constructor(
    readonly sql: Client,
    readonly writers: readonly Writer[],
  ) {}

  static async create(server: EmbeddedPostgres, writers: number): Promise<NumberingWorld> {
    const urlOf = (database: string) => server.url.replace('/waybill?', `/${database}?`);
    const name = `world_${randomBytes(4).toString('hex')}`;
    const admin = await open(urlOf('postgres'));
    await admin.query(`CREATE DATABASE ${name} TEMPLATE waybill`);
    await admin.end();
    const connect = () => open(urlOf(name));
    const own = Array.from({ length: writers }, async () => Writer.of(await connect(), await connect()));
    return new NumberingWorld(await connect(), await Promise.all(own));
  }

  /** One look of the sequencer; tells how many entries it numbered, or null when somebody else does. */
  async number(): Promise<number | null> {
    const { rows } = await this.sql.query<{ numbered: number | null }>('SELECT number_events() AS numbered');
    return rows[0]?.numbered ?? null;
  }

  /** The gaps that are remembered. */
  async gaps(): Promise<number> {
    const { rows } = await this.sql.query<{ count: number }>(
      `SELECT coalesce(jsonb_array_length(gaps), 0) AS count FROM events ORDER BY number DESC LIMIT 1`,
    );
    return rows[0]?.count ?? 0;
  }

  /** What is wrong with the numbering when every transaction has ended. */
  async faults(): Promise<string[]> {
    const { rows } = await this.sql.query<{ fault: string }>(FAULTS);
    return rows.map(({ fault }) => fault);
  }

  /** Its transactions would hold up those of the next one. */
  async leave(): Promise<void> {
    await Promise.all([this.sql.end(), ...this.writers.map((writer) => writer.end())]);
  }
}

/** Entries without a number, numbers without an entry, numbers that are missing, and records whose changes are not in order. */
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

/** A transaction that a spec leads step by step. A step may have to wait for another transaction; then the spec goes on. */
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

  /** Whether its last step still waits for another transaction. */
  get isBlocked(): boolean {
    return this.waiting !== undefined;
  }

  /** Resolves when the statement is done, or waits for a lock. */
  async run(text: string, values: readonly unknown[] = []): Promise<void> {
    const done = this.client.query(text, [...values]).finally(() => (this.waiting = undefined));
    done.catch(() => undefined);
    this.waiting = done;
    await Promise.race([done, sleep(MAX_STATEMENTS_TAKE_MS)]);
    await eventually(async () => !this.isBlocked || (await this.waitsForLock()), 30_000, 'a statement ends or waits');
    if (!this.isBlocked) await done;
  }

  /** Resolves when the step that waits is done, or rejects with what it failed for. */
  async ends(): Promise<void> {
    await this.waiting;
  }

  async waitsForLock(): Promise<boolean> {
    const blocking = 'SELECT cardinality(pg_blocking_pids($1)) AS count';
    const { rows } = await this.observer.query<{ count: number }>(blocking, [this.pid]);
    return (rows[0]?.count ?? 0) > 0;
  }

  /** Begins, and has an id from then on. */
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
    await Promise.all([this.client, this.observer].map((client) => client.end().catch(() => undefined)));
  }
}

async function open(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`SET waybill.author = 'r writer'`);
  return client;
}
