import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { MOVES } from '../moves/move.entity.js';
import { AGENTS } from '../shipments/agents/agent.entity.js';
import { SERVICES } from '../shipments/services/service.entity.js';
import { SHIPMENTS } from '../shipments/shipment.entity.js';
import { DAY, TWO_YEARS } from './clock.js';
import { TableCopy } from './copy.js';
import type { Fiction } from './fiction.js';
import { inventMove, moveCodes } from './moves.js';
import { Random } from './random.js';
import { inventAgents, inventServices } from './shipment-parts.js';
import { inventShipment } from './shipments.js';

export interface Order {
  readonly moves: number;
  readonly seed: number;
  /** The moment at which the two years of records end. */
  readonly until: number;
  readonly shipmentTypes: readonly string[];
}

/** How many records each table got. */
export type Harvest = Record<string, number>;

const MOVES_A_BATCH = 500;
const SHIPMENTS_A_MOVE = { '1': 10, '2': 25, '3': 30, '4': 25, '5': 10 };

/** Fills the database with invented records, all of them or, when anything fails, none. */
export async function plant(
  dataSource: DataSource,
  url: string,
  order: Order,
  tell: (moves: number) => void,
): Promise<Harvest> {
  const client = new Client({ connectionString: url, application_name: 'waybill-seed' });
  await client.connect();
  try {
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; BEGIN');
    const tables = [MOVES, SHIPMENTS, AGENTS, SERVICES].map((resource) => {
      return new TableCopy(dataSource.getMetadata(resource.entity));
    });
    await sow(client, tables as Tables, order, tell);
    await client.query('COMMIT');
    await client.query('ANALYZE moves, shipments, agents, services');
    return Object.fromEntries(tables.map(({ name, written }) => [name, written]));
  } finally {
    await client.end();
  }
}

type Tables = [moves: TableCopy, shipments: TableCopy, agents: TableCopy, services: TableCopy];

async function sow(client: Client, tables: Tables, order: Order, tell: (moves: number) => void): Promise<void> {
  const random = new Random(order.seed);
  const fiction: Fiction = { random, until: order.until, shipmentTypes: order.shipmentTypes };
  const codes = moveCodes(random.bits(), await takenCodes(client));
  const interval = TWO_YEARS / order.moves;
  for (let made = 0; made < order.moves; made++) {
    const created = Math.floor(order.until - TWO_YEARS + interval * (made + random.fraction()));
    sowMove(fiction, tables, codes.next().value, created);
    if ((made + 1) % MOVES_A_BATCH !== 0 && made + 1 < order.moves) continue;
    for (const table of tables) await table.flush(client);
    tell(made + 1);
  }
}

function sowMove(fiction: Fiction, [moves, shipments, agents, services]: Tables, code: string, created: number): void {
  const { random } = fiction;
  const move = inventMove(fiction, code, created);
  moves.add(move);
  for (let left = Number(random.weighted(SHIPMENTS_A_MOVE)); left > 0; left--) {
    const submitted = Math.min(created + random.between(0, 14 * DAY), fiction.until);
    const shipment = inventShipment(fiction, move.id, submitted);
    shipments.add(shipment);
    for (const agent of inventAgents(fiction, shipment)) agents.add(agent);
    for (const service of inventServices(fiction, shipment)) services.add(service);
  }
}

async function takenCodes(client: Client): Promise<Set<string>> {
  const { rows } = await client.query<[string]>({ text: 'SELECT move_code FROM moves', rowMode: 'array' });
  return new Set(rows.flat());
}
