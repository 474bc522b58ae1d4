// npm run bench -- crowd: whether the service answers health checks and keeps its memory while very many clients are there.
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { readCommandLine } from '../dist/src/config/command-line.js';
import { measured } from '../tools/evidence/measured.mjs';
import { Contender, serviceOf } from './contenders.mjs';
import { BenchDatabase } from './database.mjs';
import { rssOf } from './processes.mjs';
import { runBenchmark } from './program.mjs';

const USAGE = `Measures how long health checks take and how much memory the service needs while very many clients are connected.

  npm run bench -- crowd [FOLDER] [options]

  --seconds N  how long each crowd stays (20)
  --rounds N   of each crowd (3)
  --node PATH  run the service under another Node.js

FOLDER is another checkout of Waybill that has been built, such as a worktree of an older commit.`;

/** 200 of the longest possible. */
const LONG = 200;
const LONG_LIST = `/v1/shipments?limit=${LONG}`;
const MAKE_LONG = `
  UPDATE shipments SET customer_remarks = repeat('🚚', 2000)
  WHERE id IN (SELECT id FROM shipments ORDER BY id DESC LIMIT ${LONG})`;

const CROWDS = {
  reading: { title: '1,000 connections of GETs', connections: 1000, reads: true },
  silent: { title: `300 connections that ask for ${LONG} long shipments and read nothing`, connections: 300 },
};
const SHIPMENTS = 2000;
const PROBE_EVERY_MS = 50;
/** After a crowd, garbage is collected and connections are closed. */
const PAUSE_MS = 5000;
/** What is accepted. */
const MAX = { healthMs: 1200, memoryMB: 300 };

const say = (line) => process.stdout.write(`${line}\n`);

async function main() {
  const { values, positionals } = readCommandLine(USAGE, {
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '20' },
      rounds: { type: 'string', default: '3' },
      node: { type: 'string', default: process.execPath },
    },
  });
  const checkout = resolve(positionals[0] ?? join(import.meta.dirname, '..'));
  const database = await BenchDatabase.start({ checkout, shipments: SHIPMENTS });
  const rounds = [];
  try {
    await database.query(MAKE_LONG);
    const [{ id }] = await database.query('SELECT id FROM shipments ORDER BY id LIMIT 1');
    const service = await Contender.start({ title: 'Waybill', ...serviceOf(checkout) }, database, values.node);
    try {
      for (let round = 1; round <= Number(values.rounds); round++) {
        for (const [name, { title, ...crowd }] of Object.entries(CROWDS)) {
          const path = crowd.reads ? `/v1/shipments/${id}` : LONG_LIST;
          const found = await measure(service, { ...crowd, path }, Number(values.seconds) * 1000);
          rounds.push({ crowd: name, ...found });
          say(`${title}: health within ${found.healthMs} ms, ${found.memoryMB} MB, ${found.responses} responses`);
          await sleep(PAUSE_MS);
        }
      }
    } finally {
      await service.stop();
    }
    const most = Object.fromEntries(
      Object.keys(MAX).map((figure) => [figure, Math.max(...rounds.map((r) => r[figure]))]),
    );
    measured({ figures: { rounds: Number(values.rounds), most } });
    say(`At most ${most.healthMs} of ${MAX.healthMs} ms and ${most.memoryMB} of ${MAX.memoryMB} MB`);
  } finally {
    await database.stop();
  }
}

/** The longest of all health checks, each on a connection of its own, and the largest memory while a crowd is there. */
async function measure({ url, pid }, crowd, milliseconds) {
  const worker = new Worker(import.meta.filename, { workerData: { ...crowd, port: Number(new URL(url).port) } });
  const found = { healthMs: 0, memoryMB: 0, responses: 0 };
  worker.on('message', (responses) => (found.responses = responses));
  for (const end = performance.now() + milliseconds; performance.now() < end; await sleep(PROBE_EVERY_MS)) {
    const startedAt = performance.now();
    const { status } = await fetch(`${url}/health/live`, { headers: { connection: 'close' } });
    if (status !== 200) throw new Error(`The health check answered ${status}`);
    found.healthMs = Math.max(found.healthMs, Math.round(performance.now() - startedAt));
    found.memoryMB = Math.max(found.memoryMB, Math.round(rssOf(pid)));
  }
  await worker.terminate();
  return found;
}

/** In a thread of its own, so that it does not delay the health checks. Each connection that the service closes is replaced. */
function gather({ port, connections, path, reads = false }) {
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  let responses = 0;
  const join = () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.on('close', () => setTimeout(join, 1000));
    socket.write(request);
    if (!reads) {
      socket.pause();
      return;
    }
    let text = '';
    socket.on('data', (data) => {
      text += data.toString('latin1');
      const [, head, length] = /^(.*?content-length: (\d+).*?\r\n\r\n)/is.exec(text) ?? [];
      if (head === undefined || text.length < head.length + Number(length)) return;
      text = '';
      if (head.startsWith('HTTP/1.1 200')) responses += 1;
      socket.write(request);
    });
  };
  for (let index = 0; index < connections; index++) join();
  setInterval(() => parentPort.postMessage(responses), 500);
}

if (isMainThread) runBenchmark(main);
else gather(workerData);
