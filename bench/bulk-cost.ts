import { Client } from 'pg';
import { readCommandLine } from '../src/config/command-line.js';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { request } from '../test/support/http/plain-http.js';
import { Replica } from '../test/support/service/replica.js';
import { cpuOfProcess, cpuOfServer, median, postmasterOf } from './cpu-time.js';
import { TYPICAL_SHIPMENT } from './typical-shipment.js';

/** The cost of 200 updates in one bulk, against 200 single PATCHes of one client, one after the other. */
const USAGE = `Measures what 200 updates cost in one bulk, against 200 single PATCHes.

  npm run bench -- bulk-cost [--rounds N] [--repeat N]

  --rounds N  of all variants, taking turns (7)
  --repeat N  how often a round sends its 200 updates (5)`;

const UPDATES = 200;

interface Shipment {
  readonly id: string;
  eTag: string;
}

interface Round {
  readonly seconds: number;
  readonly cpu: number;
}

type Variant = (port: number, shipments: Shipment[], turn: number) => Promise<void>;

const VARIANTS: Readonly<Record<string, Variant>> = {
  'single PATCHes': async (port, shipments, turn) => {
    for (const shipment of shipments) {
      const path = `/v1/shipments/${shipment.id}`;
      const body = JSON.stringify(patchOf(turn));
      const answer = await request({ port, method: 'PATCH', path, headers: { 'If-Match': shipment.eTag }, body });
      if (answer.status !== 200) throw new Error(`PATCH answered ${answer.status}: ${answer.body}`);
      shipment.eTag = (JSON.parse(answer.body) as Shipment).eTag;
    }
  },
  'atomic bulk': (port, shipments, turn) => bulk(port, shipments, turn, true),
  'bulk item by item': (port, shipments, turn) => bulk(port, shipments, turn, false),
};

function patchOf(turn: number): object {
  return { estimatedWeight: 1 + (turn % 10_000) };
}

async function bulk(port: number, shipments: Shipment[], turn: number, atomic: boolean): Promise<void> {
  const items = shipments.map(({ id, eTag }) => ({ op: 'update', id, ifMatch: eTag, patch: patchOf(turn) }));
  const body = JSON.stringify({ atomic, items });
  const answer = await request({ port, method: 'POST', path: '/v1/shipments/bulk', body });
  if (answer.status >= 300) throw new Error(`POST answered ${answer.status}: ${answer.body}`);
  const results = (JSON.parse(answer.body) as { items: { shipment: Shipment }[] }).items;
  for (const [index, shipment] of shipments.entries()) shipment.eTag = results[index]?.shipment.eTag ?? '';
}

const { values } = readCommandLine(USAGE, {
  options: { rounds: { type: 'string', default: '7' }, repeat: { type: 'string', default: '5' } },
});

const server = await startThrowawayPostgres({ full_page_writes: 'on', synchronous_commit: 'on', autovacuum: 'off' });
const replica = await Replica.start({ NODE_ENV: 'production', AUTH_MODE: 'off', DATABASE_URL: server.url });
const sql = new Client({ connectionString: server.url });
try {
  await sql.connect();
  const postmaster = await postmasterOf(sql);
  const shipments: Shipment[] = [];
  for (let count = 0; count < UPDATES; count += 1) shipments.push(await create(replica.port));
  const rounds = new Map<string, Round[]>(Object.keys(VARIANTS).map((name) => [name, []]));
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    for (const [name, send] of Object.entries(VARIANTS)) {
      const measured = await measure(send, postmaster, shipments, round);
      // The first round warms up.
      if (round > 0) rounds.get(name)?.push(measured);
    }
  }
  report(rounds);
} finally {
  await sql.end();
  await replica.kill();
  await server.stop();
}

async function create(port: number): Promise<Shipment> {
  const answer = await request({ port, method: 'POST', path: '/v1/shipments', body: JSON.stringify(TYPICAL_SHIPMENT) });
  if (answer.status !== 201) throw new Error(`POST answered ${answer.status}: ${answer.body}`);
  return JSON.parse(answer.body) as Shipment;
}

async function measure(send: Variant, postmaster: number, shipments: Shipment[], round: number): Promise<Round> {
  await sql.query('VACUUM shipments');
  const repeat = Number(values.repeat);
  const cpu = () => cpuOfProcess(replica.pid) + cpuOfServer(postmaster);
  const before = { cpu: cpu(), clock: performance.now() };
  for (let turn = 0; turn < repeat; turn += 1) await send(replica.port, shipments, round * repeat + turn);
  return { seconds: (performance.now() - before.clock) / 1000 / repeat, cpu: (cpu() - before.cpu) / repeat };
}

function report(rounds: ReadonlyMap<string, readonly Round[]>): void {
  const [first] = [...rounds.values()].map(middle);
  for (const [name, own] of rounds) {
    const { seconds, cpu } = middle(own);
    const ratios =
      first && `${(seconds / first.seconds).toFixed(2)} of the time, ${(cpu / first.cpu).toFixed(2)} of the CPU`;
    process.stdout.write(
      `${name.padEnd(18)} ${(seconds * 1000).toFixed(0)} ms, CPU ${(cpu * 1000).toFixed(0)} ms for ${UPDATES} updates: ${String(ratios)}\n`,
    );
  }
}

function middle(rounds: readonly Round[]): Round {
  return { seconds: median(rounds.map(({ seconds }) => seconds)), cpu: median(rounds.map(({ cpu }) => cpu)) };
}
