import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { WaybillClient, type Shipment } from '../client/src/waybill.js';
import { readCommandLine } from '../src/config/command-line.js';
import { Replica } from '../test/support/service/replica.js';
import { cpuOfProcess, cpuOfServer, postmasterOf } from './cpu-time.js';
import { TYPICAL_SHIPMENT } from './typical-shipment.js';

const USAGE = `Measures how long a change takes from its answer to a receiver, alone and beside receivers that hang, and what webhooks add to a write.

  npm run bench -- webhook-delay [--seconds N] [--rate N] [--hanging N] [--webhooks N]

  --seconds N   of each measurement (15)
  --rate N      writes a second (20)
  --hanging N   receivers that never answer (5)
  --webhooks N  webhooks whose cost is measured (10)`;

const SHIPMENTS = 50;
const ANY_VERSION = { ifMatch: '*' };
const TYPES: 'shipment.updated'[] = ['shipment.updated'];

/** When each version was answered and when it was received, by eTag. */
const answered = new Map<string, number>();
const received = new Map<string, number>();

const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url === '/hanging') return;
    const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { eTag: string } };
    if (request.url === '/measured') received.set(data.eTag, performance.now());
    response.writeHead(204).end();
  });
});

async function main(): Promise<void> {
  const { values } = readCommandLine(USAGE, {
    options: {
      seconds: { type: 'string', default: '15' },
      rate: { type: 'string', default: '20' },
      hanging: { type: 'string', default: '5' },
      webhooks: { type: 'string', default: '10' },
    },
  });
  const [seconds, rate] = [Number(values.seconds), Number(values.rate)];
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const server = await startThrowawayPostgres({ synchronous_commit: 'on' });
  const sql = new Client({ connectionString: server.url });
  const replica = await Replica.start({
    NODE_ENV: 'production',
    AUTH_MODE: 'off',
    DATABASE_URL: server.url,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  });
  try {
    await sql.connect();
    const postmaster = await postmasterOf(sql);
    const client = new WaybillClient({ baseUrl: replica.url });
    const shipments: Shipment[] = [];
    while (shipments.length < SHIPMENTS) shipments.push(await client.shipments.create(TYPICAL_SHIPMENT));
    const measure = () => write(client, shipments, { rate, seconds });
    const cpu = () => cpuOfProcess(replica.pid) + cpuOfServer(postmaster);
    const cost = async () => {
      const before = cpu();
      const writes = await measure();
      return (1e6 * (cpu() - before)) / writes;
    };
    const subscribe = (path: string, count: number) =>
      Promise.all(Array.from({ length: count }, () => client.webhooks.create({ url: base + path, types: TYPES })));
    await measure();
    const without = await cost();
    const others = await subscribe('/counted', Number(values.webhooks));
    const withWebhooks = await cost();
    say(
      `CPU of service and database per write: ${without.toFixed(0)} us without webhooks, ${withWebhooks.toFixed(0)} us with ${values.webhooks}: ${((withWebhooks - without) / Number(values.webhooks)).toFixed(0)} us per delivery`,
    );
    for (const { id } of others) await client.webhooks.delete(id);

    await subscribe('/measured', 1);
    const alone = await delays(measure);
    say(`alone: ${alone.text}`);
    await subscribe('/hanging', Number(values.hanging));
    const beside = await delays(measure);
    say(`beside ${values.hanging} that hang: ${beside.text}`);
    say(`p99 beside them / alone: ${(beside.p99 / alone.p99).toFixed(2)}`);
  } finally {
    await replica.kill();
    await sql.end();
    await server.stop();
    receiver.closeAllConnections();
    receiver.close();
  }
}

/** Changes shipments in turn at a steady rate, and returns how often. */
async function write(
  { shipments: calls }: WaybillClient,
  shipments: readonly Shipment[],
  { rate, seconds }: { rate: number; seconds: number },
): Promise<number> {
  const writing: Promise<void>[] = [];
  const began = performance.now();
  for (let count = 0; count < rate * seconds; count += 1) {
    await sleep(began + (1000 * count) / rate - performance.now());
    const { id } = shipments[count % shipments.length] ?? { id: '' };
    const change = async () => {
      const { eTag } = await calls.patch(id, { actualWeight: 1 + count }, ANY_VERSION);
      answered.set(eTag, performance.now());
    };
    writing.push(change());
  }
  await Promise.all(writing);
  return writing.length;
}

/** The delays of the changes that a measurement makes. A delivery can overtake the answer of its change. */
async function delays(measure: () => Promise<number>): Promise<{ text: string; p99: number }> {
  answered.clear();
  await measure();
  await sleep(3000);
  const all = [...answered].flatMap(([eTag, at]) => {
    const got = received.get(eTag);
    return got === undefined ? [] : [Math.max(0, got - at)];
  });
  all.sort((one, other) => one - other);
  const at = (share: number) => all[Math.min(all.length - 1, Math.floor(all.length * share))] ?? NaN;
  const text = `p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms of ${all.length} of ${answered.size} changes`;
  return { text, p99: at(0.99) };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
