import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { readCommandLine } from '../src/config/command-line.js';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { request } from '../test/support/http/plain-http.js';
import { Replica } from '../test/support/service/replica.js';
import { cpuOfProcess, cpuOfServer, median, postmasterOf } from './cpu-time.js';
import { TYPICAL_SHIPMENT } from './typical-shipment.js';

/**
 * The cost of a feature for a write: the same service on two databases of one server, one of them without it, in rounds that take turns.
 * Compared is processor time of the service and of PostgreSQL, which a busy machine disturbs less than it does the clock.
 */
export interface Comparison {
  readonly usage: string;
  /** The feature that one side has. */
  readonly name: string;
  /** Takes it away from the other side. */
  readonly remove: (sql: Client) => Promise<unknown>;
  /** Whether the work that follows a round is done. It counts, too. */
  readonly isSettled?: (sql: Client) => Promise<boolean>;
}

const CONNECTIONS = 16;

/** The body of each request. */
const WRITES: Readonly<Record<string, Write>> = {
  weight: (replica, shipment, turn) => patch(replica.port, shipment, { estimatedWeight: 1 + (turn % 10_000) }),
  remarks: (replica, shipment, turn) => {
    return patch(replica.port, shipment, { customerRemarks: `Please call an hour before you arrive, turn ${turn}.` });
  },
  post: (replica) => create(replica.port),
};

type Write = (replica: Replica, shipment: { id: string; eTag: string }, turn: number) => Promise<unknown>;

/** Careless about the disk, as throwaway servers are, but with all the work of writing the log; vacuum comes between rounds. */
const SETTINGS = { full_page_writes: 'on', synchronous_commit: 'on', autovacuum: 'off', shared_buffers: '256MB' };

interface Side {
  readonly name: string;
  readonly replica: Replica;
  readonly sql: Client;
  readonly shipments: { id: string; eTag: string }[];
  readonly rounds: Round[];
}

/** Per 1,000 requests. */
interface Round {
  readonly perSecond: number;
  /** After the last answer. */
  readonly settledMs: number;
  readonly service: number;
  readonly server: number;
}

export async function comparePatch({ usage, name, remove, isSettled }: Comparison): Promise<void> {
  const { values } = readCommandLine(usage, {
    options: {
      rounds: { type: 'string', default: '7' },
      requests: { type: 'string', default: '2000' },
      write: { type: 'string', default: 'weight' },
    },
  });
  const write = WRITES[values.write];
  if (write === undefined) throw new Error(`--write takes ${Object.keys(WRITES).join(', ')}`);
  const measure = (side: Side) => measured(side, postmaster, Number(values.requests), write, isSettled);
  const server = await startThrowawayPostgres(SETTINGS);
  const sides: Side[] = [];
  let postmaster = 0;
  try {
    sides.push(await prepare(`with ${name}`, server.url, 'bench_with'));
    sides.push(await prepare('without', server.url, 'bench_without'));
    const [kept, unkept] = sides as [Side, Side];
    await remove(unkept.sql);
    postmaster = await postmasterOf(kept.sql);
    for (const side of sides) await measure(side);
    for (const side of sides) side.rounds.length = 0;
    for (let round = 0; round < Number(values.rounds); round += 1) {
      const order = round % 2 === 0 ? sides : [...sides].reverse();
      for (const side of order) side.rounds.push(await measure(side));
      process.stderr.write(
        `round ${round + 1}: ${sides.map((side) => cpu(side.rounds.at(-1)).toFixed(3)).join(' / ')}\n`,
      );
    }
    report(kept, unkept);
  } finally {
    for (const { replica, sql } of sides) {
      await replica.kill();
      await sql.end();
    }
    await server.stop();
  }
}

async function prepare(name: string, url: string, database: string): Promise<Side> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${database}`);
  await admin.end();
  const own = url.replace('/waybill?', `/${database}?`);
  const replica = await Replica.start({ NODE_ENV: 'production', AUTH_MODE: 'off', DATABASE_URL: own });
  const sql = new Client({ connectionString: own });
  await sql.connect();
  const shipments = await Promise.all(Array.from({ length: CONNECTIONS }, () => create(replica.port)));
  return { name, replica, sql, shipments, rounds: [] };
}

async function create(port: number): Promise<{ id: string; eTag: string }> {
  const body = JSON.stringify(TYPICAL_SHIPMENT);
  const answer = await request({ port, method: 'POST', path: '/v1/shipments', body });
  if (answer.status !== 201) throw new Error(`POST answered ${answer.status}: ${answer.body}`);
  return JSON.parse(answer.body) as { id: string; eTag: string };
}

async function measured(
  { replica, sql, shipments }: Side,
  postmaster: number,
  requests: number,
  write: Write,
  isSettled?: Comparison['isSettled'],
): Promise<Round> {
  await sql.query('VACUUM');
  let left = requests;
  const before = { service: cpuOfProcess(replica.pid), server: cpuOfServer(postmaster), clock: performance.now() };
  await Promise.all(
    shipments.map(async (shipment) => {
      while (left-- > 0) await write(replica, shipment, left);
    }),
  );
  const answered = performance.now();
  while ((await isSettled?.(sql)) === false) await sleep(5);
  const thousands = requests / 1000;
  return {
    perSecond: requests / ((answered - before.clock) / 1000),
    settledMs: performance.now() - answered,
    service: (cpuOfProcess(replica.pid) - before.service) / thousands,
    server: (cpuOfServer(postmaster) - before.server) / thousands,
  };
}

async function patch(port: number, shipment: { id: string; eTag: string }, fields: object): Promise<void> {
  const path = `/v1/shipments/${shipment.id}`;
  const body = JSON.stringify(fields);
  const answer = await request({ port, method: 'PATCH', path, headers: { 'If-Match': shipment.eTag }, body });
  if (answer.status !== 200) throw new Error(`PATCH answered ${answer.status}: ${answer.body}`);
  shipment.eTag = (JSON.parse(answer.body) as { eTag: string }).eTag;
}

function cpu(round: Round | undefined): number {
  return (round?.service ?? 0) + (round?.server ?? 0);
}

function report(kept: Side, unkept: Side): void {
  for (const { name, rounds } of [kept, unkept]) {
    const [service, server] = [
      median(rounds.map((round) => round.service)),
      median(rounds.map((round) => round.server)),
    ];
    process.stdout.write(
      `${name.padEnd(12)}  ${median(rounds.map(({ perSecond }) => perSecond)).toFixed(0)} requests/s, CPU per 1,000 requests: ` +
        `service ${service.toFixed(3)} s, PostgreSQL ${server.toFixed(3)} s, both ${median(rounds.map(cpu)).toFixed(3)} s, ` +
        `${median(rounds.map(({ settledMs }) => settledMs)).toFixed(0)} ms from the last response to the end of the work\n`,
    );
  }
  const ratios = kept.rounds.map((round, index) => cpu(round) / cpu(unkept.rounds[index]));
  process.stdout.write(
    `ratio of CPU per request: ${(median(kept.rounds.map(cpu)) / median(unkept.rounds.map(cpu))).toFixed(3)} of the medians, ` +
      `${median(ratios).toFixed(3)} median of ${ratios.length} rounds (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})\n`,
  );
}
