import { setTimeout as sleep } from 'node:timers/promises';
import { randomInt } from 'node:crypto';
import { Client as Sql } from 'pg';
import { readCommandLine } from '../../../src/config/command-line.js';
import { measured } from '../../evidence/measured.mjs';
import { PostgresServer } from '../../../test/support/database/postgres-server.js';
import { jwtEnvironment, KeySetServer, newKey, signToken } from '../../../test/support/http/tokens.js';
import { examine } from './aftermath.js';
import { Client, type Authorizations } from './client.js';
import { Faults } from './faults.js';
import { Fleet } from './fleet.js';
import { Ledger } from '../checker/ledger.js';
import { Load } from './load.js';
import { seeded } from './random.js';
import { exitWith, report, sabotageNamed, say, wholeNumber } from './report.js';
import { SABOTAGES } from './sabotage.js';

const USAGE = `Sends reads and writes through several replicas while replicas and PostgreSQL are killed, then checks what is stored.

  npm run campaign -- soak [--operations N] [--minutes N] [--seed N] [--sabotage KIND]

  --operations N   how many requests have to be answered (1000000)
  --minutes N      in which time at most (30)
  --seed N         repeats the choices of an earlier run
  --sabotage KIND  breaks the data meanwhile, to show that the checks notice: ${Object.keys(SABOTAGES).join(', ')}`;

const REPLICAS = 3;
const CLIENTS = 24;
const HOT_SHIPMENTS = 16;
const TELL_EVERY_MS = 10_000;
const SABOTAGE_EVERY_MS = 500;
const SCOPES = 'moves:read moves:write shipments:read shipments:write shipments:status';
/** Synchronous commits, as a killed PostgreSQL must not lose what clients were told. */
const SETTINGS = { synchronous_commit: 'on', max_connections: '100' };

/**
 * Clients read and write through several replicas, while replicas are killed, PostgreSQL restarts, connections are terminated
 * and statements are cancelled. Every request is written down; then what is stored is held against what the clients were told.
 */
async function main(): Promise<boolean> {
  const { values } = readCommandLine(USAGE, {
    options: {
      operations: { type: 'string', default: '1000000' },
      minutes: { type: 'string', default: '30' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      sabotage: { type: 'string' },
    },
  });
  const operations = wholeNumber('operations', values.operations);
  const minutes = wholeNumber('minutes', values.minutes);
  const random = seeded(wholeNumber('seed', values.seed, 0));
  const sabotage = sabotageNamed(SABOTAGES, values.sabotage);
  say(`seed ${values.seed}`);

  const key = await newKey('soak');
  const keySet = await KeySetServer.start(key);
  const authorizations: Authorizations = new Map(
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        const subject = `client-${client}`;
        return [subject, `Bearer ${await signToken(key, { subject, scope: SCOPES, expires: 86_400 })}`] as const;
      }),
    ),
  );
  const server = await PostgresServer.start({ settings: SETTINGS });
  let fleet: Fleet | undefined;
  try {
    const environment = {
      DATABASE_URL: server.url,
      LOG_LEVEL: 'error',
      IDEMPOTENCY_BYTES_PER_CALLER: '1000000000000',
      ...jwtEnvironment(keySet.url),
    };
    fleet = await Fleet.start(REPLICAS, environment, random);
    const ledger = new Ledger();
    const client = new Client(fleet, ledger, authorizations);
    const load = new Load(client, ledger, {
      clients: CLIENTS,
      authors: [...authorizations.keys()],
      random,
      reads: 0.7,
      repeats: 0.05,
      thinksMs: 0,
      alwaysBusy: 1,
      restorer: () => client,
    });
    await load.prepare(HOT_SHIPMENTS);
    const began = Date.now();
    const running = load.run(() => true);
    const faults = new Faults(fleet, server, random);
    const saboteur = sabotage && setInterval(() => void server.sql(sabotage).catch(() => undefined), SABOTAGE_EVERY_MS);
    const end = began + minutes * 60_000;
    let told = began;
    while (ledger.operations < operations && Date.now() < end) {
      await sleep(100);
      if (Date.now() - told < TELL_EVERY_MS) continue;
      told = Date.now();
      say(progress(ledger, began));
    }
    const ended = Date.now();
    clearInterval(saboteur);
    await faults.stop();
    load.stop();
    await running;
    say(`${progress(ledger, began)}. Looking at what is stored.`);
    const sql = new Sql({ connectionString: server.url });
    await sql.connect();
    try {
      const findings = await examine(ledger, client, sql);
      say(table('Outcomes', ledger.outcomes));
      say(table('Faults', faults.counts));
      const loadSeconds = (ended - began) / 1000;
      measured({
        figures: { loadSeconds, faults: Object.fromEntries(faults.counts) },
        seed: Number(values.seed),
        settings: SETTINGS,
      });
      const enough =
        ledger.operations >= operations ? [] : [`${ledger.operations} of ${operations} in ${minutes} minutes`];
      return report([...findings, ['all operations were done in time', enough]], ledger, 'all faults');
    } finally {
      await sql.end();
    }
  } finally {
    await fleet?.stop();
    await keySet.stop();
    await server.remove();
  }
}

function progress(ledger: Ledger, began: number): string {
  const seconds = (Date.now() - began) / 1000;
  const { operations, writes, strange } = ledger;
  return [
    `${operations} operations`,
    `${(operations / seconds).toFixed(0)} a second`,
    `${writes.length} writes`,
    `${strange.length} strange`,
    `${seconds.toFixed(0)} s`,
  ].join(', ');
}

function table(title: string, counts: ReadonlyMap<string, number>): string {
  const rows = [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
  return [title, ...rows.map(([name, count]) => `  ${name.padEnd(24)}${String(count).padStart(9)}`)].join('\n');
}

exitWith(main);
