import { setTimeout as sleep } from 'node:timers/promises';
import { Client as Sql } from 'pg';
import { readCommandLine } from '../../../src/config/command-line.js';
import { measured } from '../../evidence/measured.mjs';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { examine } from './aftermath.js';
import { Client } from './client.js';
import { Fleet } from './fleet.js';
import { ANYBODY, Ledger } from '../checker/ledger.js';
import { Load } from './load.js';
import { exitWith, report, sabotageNamed, say, wholeNumber } from './report.js';
import { SABOTAGES } from './sabotage.js';

const USAGE = `Kills the service again and again while clients write to it, and checks that every write had its effect exactly once.

  npm run campaign -- crash [--kills N] [--sabotage KIND]

  --kills N        how often (200)
  --sabotage KIND  breaks the data meanwhile, to show that the checks notice: ${Object.keys(SABOTAGES).join(', ')}`;

/** Two serve while two come up, which takes most of the time: about two seconds of processor time each. */
const REPLICAS = 4;
const HOT_SHIPMENTS = 4;
const WRITERS = {
  clients: 16,
  authors: [ANYBODY],
  random: Math.random,
  reads: 0,
  repeats: 0,
  thinksMs: 10,
  alwaysBusy: 1 / 4,
};
const MAX_PAUSE_MS = 250;
const TELL_EVERY_MS = 5000;

/**
 * Kills the service with -9 again and again while clients write to it, each client repeating what it got no answer to,
 * and then asks whether every write had its effect exactly once.
 */
async function main(): Promise<boolean> {
  const { values } = readCommandLine(USAGE, {
    options: { kills: { type: 'string', default: '200' }, sabotage: { type: 'string' } },
  });
  const kills = wholeNumber('kills', values.kills);
  const sabotage = sabotageNamed(SABOTAGES, values.sabotage);

  const server = await startThrowawayPostgres();
  const sql = new Sql({ connectionString: server.url });
  let fleet: Fleet | undefined;
  try {
    const started = await Fleet.start(REPLICAS, { DATABASE_URL: server.url, LOG_LEVEL: 'error' }, Math.random);
    fleet = started;
    await sql.connect();
    const ledger = new Ledger();
    const client = new Client(started, ledger);
    const load = new Load(client, ledger, { ...WRITERS, restorer: () => client });
    await load.prepare(HOT_SHIPMENTS);
    const began = Date.now();
    const running = load.run(() => started.canLoseOne);
    const saboteur = sabotage && setInterval(() => void sql.query(sabotage), 100);
    await killUnderLoad(started, kills, (done) => say(progress(ledger, done, kills, began)));
    load.stop();
    await running;
    clearInterval(saboteur);
    say(`${progress(ledger, kills, kills, began)}. Looking at what is stored.`);
    measured({ figures: { kills, replicas: REPLICAS, loadSeconds: (Date.now() - began) / 1000 } });
    return report(await examine(ledger, client, sql), ledger, `${kills} kills`);
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
      await sleep(Math.random() * MAX_PAUSE_MS);
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

exitWith(main);
