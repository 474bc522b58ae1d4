import { setImmediate as nextTurn } from 'node:timers/promises';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { MOVES } from '../../moves/move.entity.js';
import { AGENTS } from '../../shipments/agents/agent.entity.js';
import { SERVICES } from '../../shipments/services/service.entity.js';
import { SHIPMENTS } from '../../shipments/shipment.entity.js';
import { withoutUpkeep } from './bulk.js';
import { DAY, iso, TWO_YEARS } from './clock.js';
import { TableCopy } from './copy.js';
import type { Fiction } from './fiction.js';
import { writeHistory } from './history.js';
import { inventMove, moveCodes } from './moves.js';
import { inventCast } from './people.js';
import { Random } from './random.js';
import { inventAgents, inventServices } from './shipment-parts.js';
import { inventShipment } from './shipments.js';
import { latest } from './story.js';

export interface Order {
  readonly moves: number;
  readonly seed: number;
  /** The moment at which the two years of records end. */
  readonly until: number;
  readonly shipmentTypes: readonly string[];
}

/** How many records each table got. */
export type Harvest = Record<string, number>;

type Tell = (moves: number) => void;
type Tables = Record<'moves' | 'shipments' | 'agents' | 'services', TableCopy>;

const MOVES_A_BATCH = 1000;
const MOVES_A_TURN = 25;
const SHIPMENTS_A_MOVE = { '1': 10, '2': 25, '3': 30, '4': 25, '5': 10 };

/** Fills the database with invented records, all of them or, when anything fails, none. */
export async function plant(dataSource: DataSource, url: string, order: Order, tell: Tell): Promise<Harvest> {
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
    await prepareHistory(client, order.until);
    await client.query('BEGIN');
    const copies = Object.values(tables);
    for (const table of copies) await table.createVersions(client);
    await withoutUpkeep(client, Object.keys(tables), async () => {
      await sow(client, tables, order, tell);
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
async function sow(client: Client, tables: Tables, order: Order, tell: Tell): Promise<void> {
  const random = new Random(order.seed);
  const fiction: Fiction = { random, until: order.until, shipmentTypes: order.shipmentTypes };
  const codes = moveCodes(random.bits(), await takenCodes(client));
  const interval = TWO_YEARS / order.moves;
  let sending = Promise.resolve();
  for (let made = 1; made <= order.moves; made++) {
    const created = Math.floor(order.until - TWO_YEARS + interval * (made - 1 + random.fraction()));
    sowMove(fiction, tables, codes.next().value, created);
    // Without a pause now and then the batch before would not get out of the process.
    if (made % MOVES_A_TURN === 0) await nextTurn();
    if (made % MOVES_A_BATCH !== 0 && made < order.moves) continue;
    await sending;
    const jobs = Object.values(tables).map((table) => table.take());
    sending = sendAll(client, jobs).then(() => tell(made));
    // A failure is not lost: the next turn or the end waits for it.
    sending.catch(() => undefined);
  }
  await sending;
}

async function sendAll(client: Client, jobs: readonly ReturnType<TableCopy['take']>[]): Promise<void> {
  for (const send of jobs) await send(client);
}

function sowMove(
  fiction: Fiction,
  { moves, shipments, agents, services }: Tables,
  code: string,
  created: number,
): void {
  const { random } = fiction;
  const cast = inventCast(random);
  const move = inventMove(fiction, code, created, cast);
  moves.add(move);
  for (let left = Number(random.weighted(SHIPMENTS_A_MOVE)); left > 0; left--) {
    const submitted = random.between(created, Math.min(created + 14 * DAY, fiction.until));
    const story = inventShipment(fiction, latest(move).id, submitted, cast);
    shipments.add(story);
    const shipment = latest(story);
    for (const agent of inventAgents(fiction, shipment, cast)) agents.add(agent);
    for (const service of inventServices(fiction, shipment, cast)) services.add(service);
  }
}

async function takenCodes(client: Client): Promise<Set<string>> {
  const { rows } = await client.query<[string]>({ text: 'SELECT move_code FROM moves', rowMode: 'array' });
  return new Set(rows.flat());
}

/** Gives each month of the two years its place in history, unless history has grown without such places already. */
async function prepareHistory(client: Client, until: number): Promise<void> {
  await client.query('SELECT prepare_history($1, $2) WHERE NOT EXISTS (SELECT FROM history_default)', [
    iso(until - TWO_YEARS),
    iso(until),
  ]);
}
