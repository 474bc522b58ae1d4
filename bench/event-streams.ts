import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { readCommandLine } from '../src/config/command-line.js';
import { request } from '../test/support/http/plain-http.js';
import { Replica } from '../test/support/service/replica.js';
import { cpuOfProcess } from './cpu-time.js';
import { TYPICAL_SHIPMENT } from './typical-shipment.js';

const USAGE = `Measures how long a change takes from its answer to a stream of events, and what many streams cost.

  npm run bench -- event-streams [--seconds N] [--rate N] [--streams N] [--crowd-rate N]

  --seconds N     of each measurement (20)
  --rate N        writes a second, with one stream (300)
  --streams N     how many streams are opened (1000)
  --crowd-rate N  writes a second, with all streams (10)`;

const WRITERS = 32;

/** When the answer to each change came, and when its event did, by the id of the request. */
class Latencies {
  private readonly answered = new Map<string, number>();
  private readonly told = new Map<string, number>();

  answer(id: string): void {
    this.answered.set(id, performance.now());
  }

  /** An event can overtake the answer of its change. */
  event(id: string): void {
    this.told.set(id, performance.now());
  }

  toString(): string {
    const all = [...this.answered].flatMap(([id, at]) => {
      const told = this.told.get(id);
      return told === undefined ? [] : [Math.max(0, told - at)];
    });
    all.sort((one, other) => one - other);
    const at = (share: number) =>
      `${(all[Math.min(all.length - 1, Math.floor(all.length * share))] ?? NaN).toFixed(0)} ms`;
    const missing = this.answered.size - all.length;
    return `p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)} of ${all.length} changes${missing > 0 ? `, ${missing} never came` : ''}`;
  }
}

async function main(): Promise<void> {
  const { values } = readCommandLine(USAGE, {
    options: {
      seconds: { type: 'string', default: '20' },
      rate: { type: 'string', default: '300' },
      streams: { type: 'string', default: '1000' },
      'crowd-rate': { type: 'string', default: '10' },
    },
  });
  const [seconds, streams] = [Number(values.seconds), Number(values.streams)];
  const server = await startThrowawayPostgres({ synchronous_commit: 'on' });
  const replica = await Replica.start({ NODE_ENV: 'production', AUTH_MODE: 'off', DATABASE_URL: server.url });
  const sockets: Socket[] = [];
  try {
    const watched = watch(replica.port);
    sockets.push(watched.socket);
    const work = (rate: number) => write(replica.port, watched, { rate, seconds });
    await work(50);
    say(`one stream, ${values.rate} writes/s: ${String(await work(Number(values.rate)))}`);

    const before = memoryOf(replica.pid);
    sockets.push(...(await openAll(replica.port, streams)));
    await sleep(2000);
    say(`${streams} streams: ${((1024 * (memoryOf(replica.pid) - before)) / streams).toFixed(1)} kB each`);
    const idle = await cpuDuring(replica.pid, () => sleep(1000 * seconds));
    say(
      `idle: ${((1000 * idle) / seconds).toFixed(1)} ms of CPU a second, ${((1e6 * idle) / seconds / streams).toFixed(1)} us per stream`,
    );
    const rate = Number(values['crowd-rate']);
    const crowd = async (about: string) => {
      let told = '';
      const used = await cpuDuring(replica.pid, async () => (told = String(await work(rate))));
      say(`${rate} writes/s${about}: ${((100 * used) / seconds).toFixed(0)} % of a core; ${told}`);
    };
    await crowd('');
    const [stalled] = await openAll(replica.port, 1);
    stalled?.pause();
    if (stalled !== undefined) sockets.push(stalled);
    await crowd(', one stream stalled');
  } finally {
    for (const socket of sockets) socket.destroy();
    await replica.kill();
    await server.stop();
  }
}

const ASK = 'GET /v1/events/stream?after=now HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Reads a stream and reports the ids of the requests whose changes it shows. */
function watch(port: number): { socket: Socket; latencies: Latencies } {
  const watched = { socket: connect(port, '127.0.0.1', () => watched.socket.write(ASK)), latencies: new Latencies() };
  let rest = '';
  watched.socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, id] = /"requestID":"(\w+)"/.exec(line) ?? [];
      if (id !== undefined) watched.latencies.event(id);
    }
  });
  return watched;
}

async function openAll(port: number, count: number): Promise<Socket[]> {
  const opened = Array.from({ length: count }, async (_, index) => {
    // Each address of this machine is a caller with a share of its own.
    const localAddress = `127.0.0.${2 + (index % 100)}`;
    const socket = connect({ port, host: '127.0.0.1', localAddress }, () => socket.write(ASK));
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('data', resolve));
    return socket.resume();
  });
  return Promise.all(opened);
}

let turn = 0;

/** Changes shipments at a steady rate, and waits until their events have come. */
async function write(
  port: number,
  watched: { latencies: Latencies },
  { rate, seconds }: { rate: number; seconds: number },
): Promise<Latencies> {
  const shipments = await Promise.all(Array.from({ length: WRITERS }, () => create(port)));
  await sleep(1000);
  const latencies = (watched.latencies = new Latencies());
  const began = performance.now();
  let sent = 0;
  await Promise.all(
    shipments.map(async (shipment) => {
      for (;;) {
        const due = began + (1000 * sent++) / rate;
        if (due - began > 1000 * seconds) return;
        await sleep(Math.max(0, due - performance.now()));
        const id = `w${(turn += 1)}`;
        await patch(port, shipment, id);
        latencies.answer(id);
      }
    }),
  );
  await sleep(2000);
  return latencies;
}

interface Shipment {
  readonly id: string;
  eTag: string;
}

async function create(port: number): Promise<Shipment> {
  const { body } = await request({
    port,
    method: 'POST',
    path: '/v1/shipments',
    body: JSON.stringify(TYPICAL_SHIPMENT),
  });
  return JSON.parse(body) as Shipment;
}

async function patch(port: number, shipment: Shipment, requestID: string): Promise<void> {
  const headers = { 'If-Match': shipment.eTag, 'X-Request-ID': requestID };
  const body = JSON.stringify({ customerRemarks: requestID });
  const answer = await request({ port, method: 'PATCH', path: `/v1/shipments/${shipment.id}`, headers, body });
  if (answer.status !== 200) throw new Error(`PATCH answered ${answer.status}: ${answer.body}`);
  shipment.eTag = (JSON.parse(answer.body) as Shipment).eTag;
}

async function cpuDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = cpuOfProcess(pid);
  await work();
  return cpuOfProcess(pid) - before;
}

/** Resident, in MB. */
function memoryOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
