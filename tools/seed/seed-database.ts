import { setImmediate as nextTurn } from 'node:timers/promises';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { MOVES } from '../../src/moves/move.entity.js';
import { AGENTS } from '../../src/shipments/agents/agent.entity.js';
import { SERVICES } from '../../src/shipments/services/service.entity.js';
import { SHIPMENTS } from '../../src/shipments/shipment.entity.js';
import { withoutTriggersAndIndexes } from './bulk-load.js';
import { iso } from './clock.js';
import { TableCopy } from './copy.js';
import type { Scenario } from './scenario.js';
import { writeHistory } from './history.js';
import { generateMove, moveCodes } from './moves.js';
import { generatePeople } from './people.js';
import type { Period } from './period.js';
import { Random } from './random.js';
import { generateAgents, generateServices } from './shipment-parts.js';
import { generateShipment } from './shipments.js';
import { latest } from './versions.js';

export interface SeedOptions {
  readonly moves: number;
  readonly seed: number;
  readonly period: Period;
  /** The moment at which the period ends. */
  readonly until: number;
  readonly shipmentTypes: readonly string[];
}

/** How many records each table got. */
export type RecordCounts = Record<string, number>;

type OnProgress = (moves: number) => void;
type Tables = Record<'moves' | 'shipments' | 'agents' | 'services', TableCopy>;

const MOVES_A_BATCH = 1000;
const MOVES_A_TURN = 25;
const SHIPMENTS_A_MOVE = { '1': 10, '2': 25, '3': 30, '4': 25, '5': 10 };

/** Fills the database with invented records, all of them or, when anything fails, none. */
export async function seedDatabase(
  dataSource: DataSource,
  url: string,
  options: SeedOptions,
  onProgress: OnProgress,
): Promise<RecordCounts> {
  const client = new Client({ connectionString: url, application_name: 'waybill-seed' });
  await client.connect();
  try {
    const copyOf = (entity: new () => object): TableCopy => new TableCopy(dataSource.getMetadata(entity));
    const tables: Tables = {
      moves: copyOf(MOVES.entity),
      shipments: copyOf(SHIPMENTS.entity),
      agents: copyOf(AGENTS.entity),
      services: copyOf(SERVICES.entity),
    };
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
    await prepareHistory(client, options);
    await client.query('BEGIN');
    const copies = Object.values(tables);
    for (const table of copies) await table.createVersions(client);
    await withoutTriggersAndIndexes(client, Object.keys(tables), async () => {
      await insertRecords(client, tables, options, onProgress);
      await writeHistory(client, copies);
    });
    await client.query('COMMIT');
    await client.query(`ANALYZE ${Object.keys(tables).join(', ')}`);
    return Object.fromEntries(Object.entries(tables).map(([name, { count }]) => [name, count]));
  } finally {
    await client.end();
  }
}

/** One batch is on its way to the database while the next one is made. */
async function insertRecords(
  client: Client,
  tables: Tables,
  options: SeedOptions,
  onProgress: OnProgress,
): Promise<void> {
  const random = new Random(options.seed);
  const { until, period, shipmentTypes } = options;
  const scenario: Scenario = { random, until, period, shipmentTypes };
  const codes = moveCodes(random.bits(), await takenCodes(client));
  const interval = period.length / options.moves;
  let sending = Promise.resolve();
  for (let made = 1; made <= options.moves; made++) {
    const created = Math.floor(until - period.length + interval * (made - 1 + random.fraction()));
    addMove(scenario, tables, codes.next().value, created);
    // Without a pause now and then the batch before would not get out of the process.
    if (made % MOVES_A_TURN === 0) await nextTurn();
    if (made % MOVES_A_BATCH !== 0 && made < options.moves) continue;
    await sending;
    const jobs = Object.values(tables).map((table) => table.take());
    sending = sendAll(client, jobs).then(() => onProgress(made));
    // A failure is not lost: the next turn or the end waits for it.
    sending.catch(() => undefined);
  }
  await sending;
}

async function sendAll(client: Client, jobs: readonly ReturnType<TableCopy['take']>[]): Promise<void> {
  for (const send of jobs) await send(client);
}

function addMove(
  scenario: Scenario,
  { moves, shipments, agents, services }: Tables,
  code: string,
  created: number,
): void {
  const { random } = scenario;
  const people = generatePeople(scenario);
  const move = generateMove(scenario, code, created, people);
  moves.add(move);
  for (let left = Number(random.weighted(SHIPMENTS_A_MOVE)); left > 0; left--) {
    const submitted = random.between(created, Math.min(created + 14 * scenario.period.day, scenario.until));
    const versions = generateShipment(scenario, latest(move).id, submitted, people);
    shipments.add(versions);
    const shipment = latest(versions);
    for (const agent of generateAgents(scenario, shipment, people)) agents.add(agent);
    for (const service of generateServices(scenario, shipment, people)) services.add(service);
  }
}

async function takenCodes(client: Client): Promise<Set<string>> {
  const { rows } = await client.query<[string]>({ text: 'SELECT move_code FROM moves', rowMode: 'array' });
  return new Set(rows.flat());
}

/** Gives each month of the period its place in history, unless history has grown without such places already. */
async function prepareHistory(client: Client, { until, period }: SeedOptions): Promise<void> {
  await client.query('SELECT prepare_history($1, $2) WHERE NOT EXISTS (SELECT FROM history_default)', [
    iso(until - period.length),
    iso(until),
  ]);
}
