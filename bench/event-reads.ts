import { connect } from 'node:net';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { Client } from 'pg';
import { readCommandLine } from '../src/config/command-line.js';
import { allNumbered } from '../test/support/records/events.js';
import { request } from '../test/support/http/plain-http.js';
import { Replica } from '../test/support/service/replica.js';
import { cpuOfProcess, cpuOfServer, median, postmasterOf } from './cpu-time.js';
import { TYPICAL_SHIPMENT } from './typical-shipment.js';

const USAGE = `Compares the CPU of the ways to read the event feed with a list of 100 shipments.

  npm run bench -- event-reads [--rounds N] [--shipments N]

  --rounds N     of all ways, taking turns (5)
  --shipments N  each of which has six events (2000)`;

const UPDATES = 4;
const TURNS = 50;
const NO_RECORD = '00000000-0000-7000-8000-000000000000';

const { values } = readCommandLine(USAGE, {
  options: { rounds: { type: 'string', default: '5' }, shipments: { type: 'string', default: '2000' } },
});
const server = await startThrowawayPostgres({ shared_buffers: '256MB' });
const { port, pid, ...replica } = await start();
const sql = new Client({ connectionString: server.url });
await sql.connect();
const oldest = (await get('/v1/events?after=now')).next;
const total = await seed(Number(values.shipments));
const postmaster = await postmasterOf(sql);

/** Each way reads, and returns how many pages that were. */
const WAYS: Record<string, () => Promise<number>> = {
  'list of 100 shipments': () => often('/v1/shipments?limit=100'),
  '100 events by pages': async () => {
    let path = `${oldest}&limit=100`;
    for (let pages = 0; ; pages += 1) {
      const { body, next } = await get(path);
      if (body === '[]') return pages;
      path = next;
    }
  },
  '100 events by a stream': async () => (await stream()) / 100,
  'filter by kind, no match': () => often(`${oldest}&resource=service`),
  'filter by type, no match': () => often(`${oldest}&type=service.created,agent.created`),
  'filter by record, no match': () => often(`${oldest}&resourceID=${NO_RECORD}`),
  'filter by move, no match': () => often(`${oldest}&moveID=${NO_RECORD}`),
};

interface Used {
  readonly service: number;
  readonly server: number;
}

const used = new Map(Object.keys(WAYS).map((name) => [name, [] as Used[]]));
try {
  // The first round warms up.
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    for (const [name, work] of Object.entries(WAYS)) {
      const before = { service: cpuOfProcess(pid), server: cpuOfServer(postmaster) };
      const pages = await work();
      const each = (seconds: number) => (1000 * seconds) / pages;
      const now = {
        service: each(cpuOfProcess(pid) - before.service),
        server: each(cpuOfServer(postmaster) - before.server),
      };
      if (round > 0) used.get(name)?.push(now);
    }
  }
  for (const name of used.keys()) {
    const [service, own] = [cpu(name, (each) => each.service), cpu(name, (each) => each.server)];
    const [list, page] = [both('list of 100 shipments'), both('100 events by pages')];
    process.stdout.write(
      `${name.padEnd(27)} service ${service.toFixed(2)} ms, PostgreSQL ${own.toFixed(2)} ms: ` +
        `${(both(name) / list).toFixed(2)} of a list, ${(both(name) / page).toFixed(2)} of a page\n`,
    );
  }
} finally {
  await sql.end();
  await replica.kill();
  await server.stop();
}

function cpu(name: string, part: (each: Used) => number): number {
  return median((used.get(name) ?? []).map(part));
}

function both(name: string): number {
  return cpu(name, (each) => each.service + each.server);
}

async function start() {
  const started = await Replica.start({ NODE_ENV: 'production', AUTH_MODE: 'off', DATABASE_URL: server.url });
  return { port: started.port, pid: started.pid, kill: () => started.kill() };
}

/** `next` is the path that the Link leads to. */
async function get(path: string): Promise<{ body: string; next: string }> {
  const { status, headers, body } = await request({ port, method: 'GET', path });
  if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${body}`);
  const { pathname, search } = new URL(/<([^>]+)>/.exec(String(headers['link']))?.[1] ?? '', 'http://x');
  return { body, next: pathname + search };
}

async function often(path: string): Promise<number> {
  for (let turn = 0; turn < TURNS; turn += 1) await get(path);
  return TURNS;
}

/** Follows from the oldest event to the newest, and returns how many there were; one that a chunk cuts in two is not counted. */
function stream(): Promise<number> {
  const path = oldest.replace('/v1/events?', '/v1/events/stream?');
  return new Promise((resolve) => {
    let events = 0;
    const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`));
    socket.on('data', (data) => {
      for (let at = data.indexOf('\ndata: '); at !== -1; at = data.indexOf('\ndata: ', at + 1)) events += 1;
      if (events < 0.98 * total) return;
      socket.destroy();
      resolve(events);
    });
  });
}

/** Returns how many events there are. */
async function seed(shipments: number): Promise<number> {
  const body = JSON.stringify(TYPICAL_SHIPMENT);
  for (let turn = 0; turn < shipments; turn += 20) {
    await Promise.all(Array.from({ length: 20 }, () => request({ port, method: 'POST', path: '/v1/shipments', body })));
  }
  await sql.query(`SET waybill.author = 'r bench'`);
  for (let turn = 0; turn < UPDATES; turn += 1) {
    await sql.query('UPDATE shipments SET estimated_weight = $1, customer_remarks = $2', [4501 + turn, `turn ${turn}`]);
  }
  await allNumbered(sql);
  await sql.query('VACUUM ANALYZE');
  const { rows } = await sql.query<{ total: number }>('SELECT max(number)::integer AS total FROM events');
  return rows[0]?.total ?? 0;
}
