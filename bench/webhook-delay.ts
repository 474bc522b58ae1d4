import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { WaybillClient, type Shipment } from '@waybill/client';
import { readCommandLine } from '../src/config/command-line.js';
import { Replica } from '../test/support/service/replica.js';
import { cpuOfProcess, cpuOfServer, median, postmasterOf } from './cpu-time.js';
import { TYPICAL_SHIPMENT } from './typical-shipment.js';

const USAGE = `Measures how long a change takes from its answer to a receiver, alone and beside receivers that hang, and what webhooks add to a write.

  npm run bench -- webhook-delay [--rounds N] [--seconds N] [--rate N] [--hanging N] [--webhooks N]

  --rounds N    in which both sides take turns (6)
  --seconds N   of each round (10)
  --rate N      writes a second (20)
  --hanging N   receivers that never answer (5)
  --webhooks N  webhooks whose cost is measured (10)`;

const SHIPMENTS = 50;
const COST_TURNS = 3;
const ANY_VERSION = { ifMatch: '*' };
const TYPES: 'shipment.updated'[] = ['shipment.updated'];

/** When each version was received, by eTag. */
const received = new Map<string, number>();
/** Requests at the receivers whose cost is measured. */
let counted = 0;

/** A service with a database of its own. */
interface Side {
  readonly name: string;
  readonly replica: Replica;
  readonly client: WaybillClient;
  readonly shipments: readonly Shipment[];
  readonly delays: number[];
}

interface Load {
  readonly rate: number;
  readonly seconds: number;
}

const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url === '/hanging') return;
    const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { eTag: string } };
    if (request.url === '/measured') received.set(data.eTag, performance.now());
    if (request.url === '/counted') counted += 1;
    response.writeHead(204).end();
  });
});

async function main(): Promise<void> {
  const { values } = readCommandLine(USAGE, {
    options: {
      rounds: { type: 'string', default: '6' },
      seconds: { type: 'string', default: '10' },
      rate: { type: 'string', default: '20' },
      hanging: { type: 'string', default: '5' },
      webhooks: { type: 'string', default: '10' },
    },
  });
  const load = { seconds: Number(values.seconds), rate: Number(values.rate) };
  const [rounds, hanging, webhooks] = [Number(values.rounds), Number(values.hanging), Number(values.webhooks)];
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const server = await startThrowawayPostgres({ synchronous_commit: 'on' });
  const sql = new Client({ connectionString: server.url });
  const sides: Side[] = [];
  try {
    await sql.connect();
    const start = async (name: string) => {
      const side = await started(name, sql, server.url, sides.length);
      sides.push(side);
      await write(side, load);
      return side;
    };
    const alone = await start('alone');
    const beside = await start(`beside ${hanging} that hang`);
    await cost(alone, await postmasterOf(sql), webhooks, load);

    for (const side of sides) await subscribe(side, '/measured', 1);
    await subscribe(beside, '/hanging', hanging);
    await write(beside, load);
    for (let round = 0; round < rounds; round += 1) {
      for (const side of round % 2 === 0 ? sides : [...sides].reverse()) await measure(side, load);
      process.stderr.write(`round ${round + 1}: ${sides.map(described).join('; ')}\n`);
    }
    for (const side of sides) say(described(side));
    const ratio = (share: number) => (quantile(beside, share) / quantile(alone, share)).toFixed(2);
    say(`beside them / alone: p50 ${ratio(0.5)}, p99 ${ratio(0.99)}`);
  } finally {
    for (const { replica } of sides) await replica.kill();
    await sql.end();
    await server.stop();
    receiver.closeAllConnections();
    receiver.close();
  }
}

async function started(name: string, sql: Client, url: string, index: number): Promise<Side> {
  await sql.query(`CREATE DATABASE bench_${index}`);
  const replica = await Replica.start({
    NODE_ENV: 'production',
    AUTH_MODE: 'off',
    DATABASE_URL: url.replace('/waybill?', `/bench_${index}?`),
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  });
  const client = new WaybillClient({ baseUrl: replica.url });
  const shipments: Shipment[] = [];
  while (shipments.length < SHIPMENTS) shipments.push(await client.shipments.create(TYPICAL_SHIPMENT));
  return { name, replica, client, shipments, delays: [] };
}

function subscribe({ client }: Side, path: string, count: number) {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`;
  return Promise.all(Array.from({ length: count }, () => client.webhooks.create({ url, types: TYPES })));
}

/** The cost that webhooks add to a write, measured in turns without and with them. */
async function cost(side: Side, postmaster: number, count: number, load: Load): Promise<void> {
  const cpu = () => cpuOfProcess(side.replica.pid) + cpuOfServer(postmaster);
  /** Until all deliveries have come, and the last results are recorded. */
  const perWrite = async (webhooks: number) => {
    const [before, countedBefore] = [cpu(), counted];
    const { size } = await write(side, load);
    while (counted < countedBefore + size * webhooks) await sleep(20);
    await sleep(500);
    return (1e6 * (cpu() - before)) / size;
  };
  const without: number[] = [];
  const having: number[] = [];
  for (let turn = 0; turn < COST_TURNS; turn += 1) {
    without.push(await perWrite(0));
    const webhooks = await subscribe(side, '/counted', count);
    having.push(await perWrite(count));
    for (const { id } of webhooks) await side.client.webhooks.delete(id);
  }
  const [bare, dear] = [median(without), median(having)];
  say(
    `CPU of service and database per write: ${bare.toFixed(0)} us without webhooks, ${dear.toFixed(0)} us with ${count}: ${((dear - bare) / count).toFixed(0)} us per delivery`,
  );
}

/** Changes shipments in turn at a steady rate. Returns when each version was answered, by eTag. */
async function write({ client, shipments }: Side, { rate, seconds }: Load): Promise<Map<string, number>> {
  const answered = new Map<string, number>();
  const writing: Promise<void>[] = [];
  const began = performance.now();
  for (let count = 0; count < rate * seconds; count += 1) {
    await sleep(began + (1000 * count) / rate - performance.now());
    const { id } = shipments[count % shipments.length] ?? { id: '' };
    const change = async () => {
      const { eTag } = await client.shipments.patch(id, { actualWeight: 1 + count }, ANY_VERSION);
      answered.set(eTag, performance.now());
    };
    writing.push(change());
  }
  await Promise.all(writing);
  return answered;
}

/** Adds the delays of further changes. A delivery can overtake the answer of its change. */
async function measure(side: Side, load: Load): Promise<void> {
  const answered = await write(side, load);
  while ([...answered.keys()].some((eTag) => !received.has(eTag))) await sleep(20);
  for (const [eTag, at] of answered) side.delays.push(Math.max(0, (received.get(eTag) ?? Infinity) - at));
}

function quantile({ delays }: Side, share: number): number {
  const sorted = [...delays].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

function described(side: Side): string {
  const at = (share: number) => quantile(side, share).toFixed(0);
  return `${side.name}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms of ${side.delays.length} changes`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
