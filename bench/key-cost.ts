import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { Client } from 'pg';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { hashOf, newKey } from '../src/auth/key-text.js';
import { SCOPES } from '../src/auth/scopes.js';
import { readCommandLine } from '../src/config/command-line.js';
import { ADD_HASH } from '../src/keys/key-sql.js';
import { jwtEnvironment, KeySetServer, newKey as newSigningKey, signToken } from '../test/support/http/tokens.js';
import { Replica } from '../test/support/service/replica.js';
import { measured, median } from '../tools/evidence/measured.mjs';
import { cpuOf, parentOf } from './processes.mjs';
import { TYPICAL_SHIPMENT } from './typical-shipment.js';

/** The CPU time of a GET with an API key, with a token, and without credentials, in rounds that take turns. */
const USAGE = `Measures the CPU time of a GET with an API key, with a token, and without credentials.

  npm run bench -- key-cost [--rounds N] [--requests N]

  --rounds N    of all three, taking turns (15)
  --requests N  of each in a round (3000)`;

const WORKERS = 8;
/** At most these ratios of the CPU are accepted. */
const TARGETS = { token: 1.05, none: 1.1 };

type Headers = Record<string, string>;

const { values } = readCommandLine(USAGE, {
  options: { rounds: { type: 'string', default: '15' }, requests: { type: 'string', default: '3000' } },
});

const agent = new Agent({ keepAlive: true, maxSockets: WORKERS });

function send(port: number, method: string, path: string, headers: Headers, body?: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const type: Headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const sent = request({ port, method, path, agent, headers: { ...type, ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        if ((response.statusCode ?? 500) < 300) resolve(JSON.parse(text));
        else reject(new Error(`${method} ${path} answered ${String(response.statusCode)}: ${text}`));
      });
    });
    sent.on('error', reject).end(body && JSON.stringify(body));
  });
}

async function addKey(sql: Client): Promise<string> {
  const [id, key] = [randomUUID(), newKey()];
  await sql.query('BEGIN');
  await sql.query(
    `INSERT INTO keys (id, name, scopes, expires_at, created_by) VALUES ($1, 'bench', $2, now() + interval '1 day', 'bench')`,
    [id, SCOPES],
  );
  await sql.query(ADD_HASH.text, [id, hashOf(key), 'bench', null]);
  await sql.query('COMMIT');
  return key;
}

const server = await startThrowawayPostgres({ autovacuum: 'off' });
const signing = await newSigningKey('bench');
const keySet = await KeySetServer.start(signing);
const settings = { DATABASE_URL: server.url, RATE_LIMIT: '0', WEBHOOKS: 'off' };
/** Two processes, as the modes exclude each other; both have the same database. */
const guarded = await Replica.start({ ...jwtEnvironment(keySet.url), ...settings, AUTH_MODE: 'jwt,keys' });
const open = await Replica.start({ ...settings, AUTH_MODE: 'off' });
const sql = new Client({ connectionString: server.url });
try {
  await sql.connect();
  const { rows: sessions } = await sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const postmaster = parentOf(Number(sessions[0]?.pid));
  const token = await signToken(signing, { scope: SCOPES.join(' '), expires: 36_000 });
  const variants: Record<string, { replica: Replica; headers: Headers }> = {
    none: { replica: open, headers: {} },
    token: { replica: guarded, headers: { Authorization: `Bearer ${token}` } },
    key: { replica: guarded, headers: { Authorization: `Bearer ${await addKey(sql)}` } },
  };
  const { id } = (await send(open.port, 'POST', '/v1/shipments', {}, TYPICAL_SHIPMENT)) as { id: string };
  const measure = async ({ replica, headers }: { replica: Replica; headers: Headers }): Promise<number> => {
    const cpu = () => cpuOf(replica.pid) + cpuOf(postmaster);
    const before = cpu();
    const worker = async () => {
      for (let turn = 0; turn < Number(values.requests) / WORKERS; turn += 1) {
        await send(replica.port, 'GET', `/v1/shipments/${id}`, headers);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, worker));
    return ((cpu() - before) / Number(values.requests)) * 1e6;
  };
  const names = Object.keys(variants);
  const rounds: Record<string, number>[] = [];
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    const found: Record<string, number> = {};
    // They swap places from round to round.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const variant = variants[name];
      if (variant !== undefined) found[name] = await measure(variant);
    }
    // The first round warms up.
    if (round > 0) rounds.push(found);
  }
  for (const name of names) {
    const us = median(rounds.map((round) => round[name] ?? 0));
    measured({ figures: { rounds: rounds.length, microseconds: { [name]: us } } });
    process.stdout.write(`${name.padEnd(6)} ${us.toFixed(0)} us of CPU (service and PostgreSQL) for a GET\n`);
  }
  for (const [name, target] of Object.entries(TARGETS)) {
    const ratio = median(rounds.map((round) => (round['key'] ?? 0) / (round[name] ?? 1)));
    measured({ figures: { ratio: { [name]: ratio } } });
    process.stdout.write(`key / ${name}: ${ratio.toFixed(3)} (at most ${target})\n`);
  }
} finally {
  agent.destroy();
  await sql.end();
  await guarded.kill();
  await open.kill();
  await keySet.stop();
  await server.stop();
}
