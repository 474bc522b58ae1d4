import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { SeedOptions } from './options.js';
import { codes, functions, stored, versions } from './seed-sql.js';

const TABLES = ['moves', 'shipments', 'agents', 'services'];
const MOVES_A_BATCH = 5000;
const PAUSE_MS = 50;
const SAID_EVERY = 50_000;
const DAY_MS = 86_400_000;

type Step = readonly [name: string, what: string];
/** Keeps what was generated after the position $1 from receivers. */
const WITHHOLD = `
  INSERT INTO seeded_entries (positions, kinds) SELECT int8range($1, drawn, '(]'), $2 FROM history_positions()`;

const NUMBERING: Step = ['number_events', 'numbered'];
const INDEXING: Step = ['index_words', 'indexed for search'];

export type RecordCounts = Record<string, number>;

/** Fills the database with generated records, all or nothing. */
export async function seedDatabase(
  url: string,
  options: SeedOptions,
  say: (line: string) => void,
): Promise<RecordCounts> {
  const client = new Client({ connectionString: url, application_name: 'waybill-seed' });
  // The running statement reports it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
    await client.query("SET TimeZone = 'UTC'; SET jit = off");
    await prepareHistory(client, options);
    await client.query('BEGIN');
    await client.query(functions(options));
    await client.query(codes(options));
    const counts: RecordCounts = Object.fromEntries(TABLES.map((table) => [table, 0]));
    // Seeding writes history itself, with its own authors and times. Other writers wait until the transaction ends.
    await client.query(TABLES.map((table) => `ALTER TABLE ${table} DISABLE TRIGGER ${table}_history`).join(';'));
    const { rows: before } = await client.query<{ drawn: string }>('SELECT drawn FROM history_positions()');
    for (let from = 1; from <= options.moves; from += MOVES_A_BATCH) {
      const to = Math.min(from + MOVES_A_BATCH - 1, options.moves);
      await client.query(versions(options), [from, to]);
      const { rows } = await client.query<{ table: string; count: number }>(
        `SELECT kind || 's' AS table, count(*)::int FROM seed_versions WHERE is_last GROUP BY kind`,
      );
      for (const { table, count } of rows) counts[table] = (counts[table] ?? 0) + count;
      await client.query(stored(TABLES));
      say(`${to} of ${options.moves} moves`);
    }
    await client.query(TABLES.map((table) => `ALTER TABLE ${table} ENABLE TRIGGER ${table}_history`).join(';'));
    const kinds = TABLES.map((table) => table.slice(0, -1));
    if (!options.deliver) await client.query(WITHHOLD, [before[0]?.drawn, kinds]);
    await client.query('COMMIT');
    await client.query(`ANALYZE ${TABLES.join(', ')}`);
    await follow(client, NUMBERING, say);
    await follow(client, INDEXING, say);
    await client.query('ANALYZE events, search');
    return counts;
  } finally {
    await client.end();
  }
}

/** Numbers the events or indexes the words, which a running service does, too: null means that it is at it. */
async function follow(client: Client, [step, what]: Step, say: (line: string) => void): Promise<void> {
  for (let total = 0, said = 0; ;) {
    const { rows } = await client.query<{ done: number | null }>(`SELECT ${step}() AS done`);
    const done = rows[0]?.done ?? null;
    if (done === 0) return;
    if (done === null) await sleep(PAUSE_MS);
    total += done ?? 0;
    if (total < said + SAID_EVERY) continue;
    said = total;
    say(`${total} events ${what}`);
  }
}

/** Creates the history partitions of the period, unless entries were already written without them. */
async function prepareHistory(client: Client, { until, week }: SeedOptions): Promise<void> {
  await client.query('SELECT prepare_history($1, $2) WHERE NOT EXISTS (SELECT FROM history_default)', [
    new Date(until - (week ? 7 : 730) * DAY_MS),
    new Date(until),
  ]);
}
