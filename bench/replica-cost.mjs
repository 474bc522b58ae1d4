// What one request costs: requests a second of one replica, and the CPU time of the service and of PostgreSQL for each.
// The CPU times hardly depend on what else the machine does; the rates do.   node bench/replica-cost.mjs [requests]
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { URL } from 'node:url';
import 'reflect-metadata';
import { readCommandLine } from '../dist/src/config/command-line.js';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';

const USAGE = `Measures what one request costs: requests a second of one replica, and the processor time of the service and of PostgreSQL.

  node bench/replica-cost.mjs [REQUESTS]

  REQUESTS  of each kind (4000)`;

const { positionals } = readCommandLine(USAGE, { allowPositionals: true });
const REQUESTS = Number(positionals[0] ?? 4000);
const CLIENTS = 16;
const PORT = 3999;
const TICKS_PER_SECOND = 100;

const database = await startThrowawayPostgres();
const env = {
  PATH: process.env.PATH,
  DATABASE_URL: database.url,
  PORT: String(PORT),
  HOST: '127.0.0.1',
  DRAIN_DELAY_MS: '0',
};
const service = spawn(process.execPath, ['dist/src/main.js'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
await new Promise((resolve) => service.stdout.on('data', (text) => String(text).includes('Listening') && resolve()));
const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });

function send(method, path, body, headers = {}) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const type =
    text === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { port: PORT, host: '127.0.0.1', agent, method, path, headers: { ...type, ...headers } },
      (response) => {
        let answer = '';
        response.setEncoding('utf8').on('data', (chunk) => (answer += chunk));
        response.on('end', () => (response.statusCode < 300 ? resolve(JSON.parse(answer)) : reject(new Error(answer))));
      },
    );
    outgoing.on('error', reject).end(text);
  });
}

/** CPU seconds of a process, or of the children of one. */
function cpuOf(match) {
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (match(Number(pid), Number(fields[1]))) ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      continue;
    }
  }
  return ticks / TICKS_PER_SECOND;
}

const folder = decodeURIComponent(new URL(database.url).searchParams.get('host'));
const postmaster = Number(readFileSync(`${folder}/postmaster.pid`, 'utf8').split('\n')[0]);
const cpu = () => ({
  service: cpuOf((pid) => pid === service.pid),
  postgres: cpuOf((pid, parent) => pid === postmaster || parent === postmaster),
});

async function measure(name, run) {
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => run(client)));
  const before = cpu();
  const start = performance.now();
  let left = REQUESTS;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      while (left-- > 0) await run(client);
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const after = cpu();
  const each = (part) => `${(((after[part] - before[part]) * 1000) / REQUESTS).toFixed(2)} ms`;
  const rate = String(Math.round(REQUESTS / seconds)).padStart(6);
  process.stdout.write(`${name.padEnd(28)} ${rate}/s   service ${each('service')}   PostgreSQL ${each('postgres')}\n`);
}

const own = await Promise.all(
  Array.from({ length: CLIENTS }, () => send('POST', '/v1/shipments', { shipmentType: 'HHG' })),
);
await measure('warming up', (client) => send('GET', `/v1/shipments/${own[client].id}`));
await measure('GET one shipment', (client) => send('GET', `/v1/shipments/${own[client].id}`));
await measure('PATCH a shipment', async (client) => {
  const { id, eTag } = own[client];
  own[client] = await send('PATCH', `/v1/shipments/${id}`, { estimatedWeight: 1000 }, { 'If-Match': eTag });
});
await measure('POST a shipment', () => send('POST', '/v1/shipments', { shipmentType: 'HHG' }));
// Last, for now there are more than 50.
await measure('GET 50 shipments', () => send('GET', '/v1/shipments'));
agent.destroy();
service.kill('SIGTERM');
await new Promise((resolve) => service.on('exit', resolve));
await database.stop();
