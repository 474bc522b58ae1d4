import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { WaybillClient, type Shipment, type Webhook } from '@waybill/client';
import { readCommandLine } from '../src/config/command-line.js';
import { jwtEnvironment, KeySetServer, newKey, signToken } from '../test/support/http/tokens.js';
import { Replica } from '../test/support/service/replica.js';
import { TYPICAL_SHIPMENT } from './typical-shipment.js';

const USAGE = `Measures webhooks with a large backlog: how long enabling one takes, how many deliveries a second reach a fast receiver, and what it
costs the webhook of another caller. The same for many webhooks whose receivers answer slowly.

  npm run bench -- webhook-backlog [--pending N] [--slow N] [--rounds N] [--seconds N] [--rate N]

  --pending N   pending deliveries, and as many events without deliveries (500000)
  --slow N      webhooks of one caller whose receivers take five seconds to answer (300)
  --rounds N    of measuring delays without and with them, in turns (3)
  --seconds N   of each measurement (10)
  --rate N      changes a second whose delay is measured (10)`;

const { values } = readCommandLine(USAGE, {
  options: {
    pending: { type: 'string', default: '500000' },
    slow: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
    rate: { type: 'string', default: '10' },
  },
});
const [pending, slow, rounds] = [Number(values.pending), Number(values.slow), Number(values.rounds)];
const [seconds, rate] = [Number(values.seconds), Number(values.rate)];

const RECORDS = 20_000;
const SHIPMENTS = 50;
/** Events that each of the slow webhooks is behind. */
const BEHIND = 100;
const SLOW_MS = 5000;
/** Each is a host of its own, so that the limit per host does not spare the others. */
const SLOW_HOSTS = 40;
const SCOPE = 'moves:read shipments:read shipments:write webhooks:read webhooks:write';
const ANY_VERSION = { ifMatch: '*' };
const OF_MOVES = ['move.created', 'move.updated'] as const;

/** When each version was received, by eTag. */
const received = new Map<string, number>();
let fast = 0;

const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url === '/fast') fast += 1;
    if (request.url === '/measured') {
      const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { eTag: string } };
      received.set(data.eTag, performance.now());
    }
    setTimeout(() => response.writeHead(204).end(), request.url === '/slow' ? SLOW_MS : 0);
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '0.0.0.0', resolve));
const at = (host: string, path: string) => `http://${host}:${(receiver.address() as AddressInfo).port}${path}`;

const key = await newKey('bench');
const keySet = await KeySetServer.start(key);
const server = await startThrowawayPostgres({ shared_buffers: '256MB' });
const sql = new Client({ connectionString: server.url });
const replica = await Replica.start({
  ...jwtEnvironment(keySet.url),
  DATABASE_URL: server.url,
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  WEBHOOKS_PER_CALLER: '1000',
  LOG_LEVEL: 'error',
});
try {
  await sql.connect();
  const [caller, other] = [await clientOf('caller'), await clientOf('other')];
  const shipments: Shipment[] = [];
  while (shipments.length < SHIPMENTS) shipments.push(await other.shipments.create(TYPICAL_SHIPMENT));
  await replica.kill();
  await addEvents();
  await replica.startAgain();

  const resumed = await disabled(caller, at('127.0.0.1', '/fast'));
  const behind = await disabled(caller, at('127.0.0.1', '/fast'));
  await addDeliveries(resumed.id);
  await startAt(0, [behind.id]);
  await other.webhooks.create({ url: at('127.0.0.1', '/measured'), types: ['shipment.updated'] });
  await sql.query('VACUUM ANALYZE');

  await drain(caller, resumed, `${pending} pending deliveries`);
  await drain(caller, behind, `${pending} events without deliveries`);
  await compare(other, shipments, 'a webhook with that backlog', (enabled) =>
    switched(caller, [resumed, behind], enabled),
  );

  const many: Webhook[] = [];
  while (many.length < slow) {
    many.push(await disabled(caller, at(`127.0.1.${1 + (many.length % SLOW_HOSTS)}`, '/slow')));
  }
  await startAt(
    pending - BEHIND,
    many.map(({ id }) => id),
  );
  await compare(other, shipments, `${slow} webhooks with slow receivers`, (enabled) => switched(caller, many, enabled));
} finally {
  await replica.kill();
  await sql.end();
  await server.stop();
  await keySet.stop();
  receiver.closeAllConnections();
  receiver.close();
}

async function clientOf(subject: string): Promise<WaybillClient> {
  const token = await signToken(key, { subject, scope: SCOPE, expires: 7200 });
  return new WaybillClient({ baseUrl: replica.url, token });
}

/** Changes of moves, written while no replica runs, because it would number them. */
async function addEvents(): Promise<void> {
  await sql.query(`
    INSERT INTO history (root_id, record_kind, record_id, type, e_tag, record, changed_by, request_id, changed_at)
    SELECT id, 'move', id, CASE WHEN n <= ${RECORDS} THEN 'created' ELSE 'updated' END, sha256(int8send(n)),
      jsonb_build_object('id', id, 'move_code', 'ABCDEF', 'remarks', n, 'created_at', now(), 'updated_at', now()), 'bench', 'bench', now()
    FROM generate_series(1::bigint, ${pending}) n, LATERAL (SELECT md5((n % ${RECORDS})::text)::uuid AS id) record`);
  await sql.query(`
    INSERT INTO events (number, root_id, position, moment, kind, type, record_id, move_id, before_position, before_moment)
    SELECT (SELECT max(number) FROM events) + row_number() OVER (ORDER BY position), root_id, position, changed_at, 'move', 'move.' || type,
      record_id, record_id, lag(position) OVER of_record, lag(changed_at) OVER of_record
    FROM history WHERE changed_by = 'bench' WINDOW of_record AS (PARTITION BY record_id ORDER BY position)`);
  await sql.query('UPDATE search_progress SET number = (SELECT max(number) FROM events)');
}

/** Deliveries that have failed for long, of the events of moves. */
async function addDeliveries(webhookID: string): Promise<void> {
  await sql.query(
    `INSERT INTO webhook_deliveries (webhook_id, event_number, type, record_id, is_next, attempts, next_attempt_at)
     SELECT $1, number, type, record_id, type = 'move.created', 8, now() + interval '1 day' FROM events WHERE kind = 'move' ORDER BY number`,
    [webhookID],
  );
}

/** Puts webhooks after the event with this number. They have accepted something before, so that they get all the calls they may have. */
async function startAt(number: number, ids: readonly string[]): Promise<void> {
  await sql.query(
    'UPDATE webhook_progress SET position = $1, last_delivery_at = now() WHERE webhook_id = ANY ($2::uuid[])',
    [number, ids],
  );
}

function disabled(client: WaybillClient, url: string): Promise<Webhook> {
  return client.webhooks.create({ url, types: [...OF_MOVES], enabled: false });
}

async function switched(client: WaybillClient, webhooks: readonly Webhook[], enabled: boolean): Promise<void> {
  for (const { id } of webhooks) await client.webhooks.patch(id, { enabled }, ANY_VERSION);
}

async function drain(client: WaybillClient, webhook: Webhook, backlog: string): Promise<void> {
  const began = performance.now();
  await switched(client, [webhook], true);
  const enabledMs = performance.now() - began;
  const before = fast;
  await sleep(1000 * seconds);
  const each = (fast - before) / seconds;
  await switched(client, [webhook], false);
  say(`${backlog}: enabled in ${enabledMs.toFixed(0)} ms, then ${each.toFixed(0)} deliveries a second`);
}

/** Delays of the other caller's webhook without and with something, in turns. */
async function compare(
  client: WaybillClient,
  shipments: readonly Shipment[],
  what: string,
  enable: (enabled: boolean) => Promise<void>,
): Promise<void> {
  const delays = new Map<boolean, number[]>([
    [false, []],
    [true, []],
  ]);
  for (let round = 0; round < rounds; round += 1) {
    for (const isWith of [false, true]) {
      await enable(isWith);
      delays.get(isWith)?.push(...(await measure(client, shipments)));
    }
    process.stderr.write(`${what}: round ${round + 1} of ${rounds}\n`);
  }
  await enable(false);
  const [alone = [], beside = []] = [delays.get(false), delays.get(true)];
  const ratio = (share: number) => {
    const [without, having] = [quantile(alone, share), quantile(beside, share)];
    return `${(having / without).toFixed(2)} (${having.toFixed(0)} ms / ${without.toFixed(0)} ms)`;
  };
  say(`beside ${what} / without, ${alone.length} changes each: p50 ${ratio(0.5)}, p99 ${ratio(0.99)}`);
}

/** How long each of some changes took from its answer to the receiver. */
async function measure(client: WaybillClient, shipments: readonly Shipment[]): Promise<number[]> {
  const answered = new Map<string, number>();
  const writing: Promise<void>[] = [];
  const began = performance.now();
  for (let count = 0; count < rate * seconds; count += 1) {
    await sleep(began + (1000 * count) / rate - performance.now());
    const { id } = shipments[count % shipments.length] ?? { id: '' };
    const change = async () => {
      const { eTag } = await client.shipments.patch(id, { customerRemarks: `change ${began} ${count}` }, ANY_VERSION);
      answered.set(eTag, performance.now());
    };
    writing.push(change());
  }
  await Promise.all(writing);
  while ([...answered.keys()].some((eTag) => !received.has(eTag))) await sleep(20);
  return [...answered].map(([eTag, moment]) => Math.max(0, (received.get(eTag) ?? Infinity) - moment));
}

function quantile(delays: readonly number[], share: number): number {
  const sorted = [...delays].sort((one, another) => one - another);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
