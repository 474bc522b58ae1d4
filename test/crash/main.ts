import { setTimeout as sleep } from 'node:timers/promises';
import { Client as Sql } from 'pg';
import { readCommandLine } from '../../src/config/command-line.js';
import { startThrowawayPostgres } from '../../src/database/throwaway-postgres.js';
import { examine, type Findings } from './aftermath.js';
import { Client } from './client.js';
import { Fleet } from './fleet.js';
import { Ledger } from './ledger.js';
import { Load } from './load.js';
import { SABOTAGES, type Sabotage } from './sabotage.js';

const USAGE = `Kills the service again and again while clients write to it, and checks that every write had its effect exactly once.

  npm run test:crash -- [--kills N] [--sabotage KIND]

  --kills N        how often (200)
  --sabotage KIND  breaks the data meanwhile, to show that the checks notice: ${Object.keys(SABOTAGES).join(', ')}`;

/** Two serve while two come up, which takes most of the time: about two seconds of processor time each. */
const REPLICAS = 4;
const CLIENTS = 16;
const HOT_SHIPMENTS = 4;
const LONGEST_PAUSE_MS = 250;
const TELL_EVERY_MS = 5000;
const FAULTS_SHOWN = 5;

/**
 * Kills the service with -9 again and again while clients write to it, each client repeating what it got no answer to,
 * and then asks whether every write had its effect exactly once.
 */
async function main(): Promise<boolean> {
  const { values } = readCommandLine(USAGE, {
    options: { kills: { type: 'string', default: '200' }, sabotage: { type: 'string' } },
  });
  const kills = Number(values.kills);
  if (!Number.isSafeInteger(kills) || kills < 1) throw new Error('--kills takes a whole number from 1');
  const sabotage = values.sabotage === undefined ? undefined : SABOTAGES[values.sabotage as Sabotage];
  if (values.sabotage !== undefined && sabotage === undefined) {
    throw new Error(`--sabotage takes one of ${Object.keys(SABOTAGES).join(', ')}`);
  }

  const server = await startThrowawayPostgres();
  const sql = new Sql({ connectionString: server.url });
  let fleet: Fleet | undefined;
  try {
    const started = await Fleet.start(REPLICAS, { DATABASE_URL: server.url, LOG_LEVEL: 'error' });
    fleet = started;
    await sql.connect();
    const ledger = new Ledger();
    const client = new Client(started, ledger);
    const load = new Load(client, ledger);
    await load.prepare(HOT_SHIPMENTS);
    const began = Date.now();
    const running = load.run(CLIENTS, () => started.canLoseOne);
    const saboteur = sabotage && setInterval(() => void sql.query(sabotage), 100);
    await killUnderLoad(started, kills, (done) => say(progress(ledger, done, kills, began)));
    load.stop();
    await running;
    clearInterval(saboteur);
    say(`${progress(ledger, kills, kills, began)}. Looking at what is stored.`);
    return report(await examine(ledger, client, sql), ledger, kills);
  } finally {
    await fleet?.stop();
    await sql.end();
    await server.stop();
  }
}

/** Some other process always serves, so that a client that lost its answer can ask again at once. */
async function killUnderLoad(fleet: Fleet, kills: number, tell: (done: number) => void): Promise<void> {
  let done = 0;
  const ticker = setInterval(() => tell(done), TELL_EVERY_MS);
  let failure: unknown;
  const starting = new Set<Promise<void>>();
  try {
    while (done < kills) {
      await sleep(Math.random() * LONGEST_PAUSE_MS);
      const successor = await fleet.killOne();
      const started = successor.started.catch((error: unknown) => void (failure = error));
      starting.add(started);
      void started.then(() => starting.delete(started));
      done += 1;
      if (failure !== undefined) throw new Error('A service did not start again', { cause: failure });
    }
    await Promise.all(starting);
    if (failure !== undefined) throw new Error('A service did not start again', { cause: failure });
  } finally {
    clearInterval(ticker);
  }
}

function progress(ledger: Ledger, done: number, kills: number, began: number): string {
  return [
    `${done}/${kills} kills`,
    `${ledger.writes.length} writes`,
    `${ledger.accepted.length} accepted`,
    `${ledger.lostAnswers} answers lost`,
    `${ledger.replayed} replayed`,
    `${((Date.now() - began) / 1000).toFixed(0)} s`,
  ].join(', ');
}

function report(findings: Findings, ledger: Ledger, kills: number): boolean {
  for (const [check, faults] of findings) {
    say(`${faults.length === 0 ? 'ok  ' : 'FAIL'}  ${check}`);
    for (const fault of faults.slice(0, FAULTS_SHOWN)) say(`        ${fault}`);
    if (faults.length > FAULTS_SHOWN) say(`        and ${faults.length - FAULTS_SHOWN} more`);
  }
  const passed = findings.every(([, faults]) => faults.length === 0);
  const counts = new Map<string, number>();
  for (const { deed } of ledger.accepted) counts.set(deed, (counts.get(deed) ?? 0) + 1);
  say(`Accepted: ${[...counts].map(([deed, count]) => `${count} ${deed}`).join(', ')}.`);
  say(passed ? `Every write had its effect exactly once through ${kills} kills.` : 'Something was lost or done twice.');
  return passed;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

// Ending by itself, it takes the processes that it started along.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

main().then(
  (passed) => process.exit(passed ? 0 : 1),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
