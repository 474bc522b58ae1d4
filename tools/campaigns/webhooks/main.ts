import { WaybillClient } from '@waybill/client';
import { readCommandLine } from '../../../src/config/command-line.js';
import { PostgresServer } from '../../../test/support/database/postgres-server.js';
import { Replica } from '../../../test/support/service/replica.js';
import { oneOf, seeded } from '../crash/random.js';
import { exitWith, say, wholeNumber } from '../crash/report.js';
import { run } from './campaign.js';
import { SABOTAGES, type Sabotage } from './faults.js';
import { Receivers } from './receivers.js';

const USAGE = `Delivers webhooks to receivers that fail while two replicas and PostgreSQL are killed, and checks that every matching event arrived, in order.

  npm run campaign -- webhooks [--writes N] [--writers N] [--webhooks N] [--rounds N] [--seed N] [--sabotage KIND]

  --writes N       how many writes have to be accepted (100000)
  --writers N      how many write at the same time (8)
  --webhooks N     how many webhooks there are (20)
  --rounds N       how often a replica is killed at each step of a delivery (10)
  --seed N         for the choices of writers and receivers (1)
  --sabotage KIND  spoils deliveries on purpose, to show that the checks notice: ${Object.keys(SABOTAGES).join(', ')}`;

const REPLICAS = 2;
const ANY_REPLICA = 'http://any-replica';
const FAULTS_SHOWN = 10;

async function main(): Promise<boolean> {
  const { values } = readCommandLine(USAGE, {
    options: {
      writes: { type: 'string', default: '100000' },
      writers: { type: 'string', default: '8' },
      webhooks: { type: 'string', default: '20' },
      rounds: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      sabotage: { type: 'string' },
    },
  });
  const random = seeded(wholeNumber('seed', values.seed));
  const sabotage = values.sabotage === undefined ? undefined : sabotageNamed(values.sabotage);
  const server = await PostgresServer.start();
  const receivers = await Receivers.start(random);
  const replicas: Replica[] = [];
  try {
    const environment = {
      DATABASE_URL: server.url,
      LOG_LEVEL: 'error',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    };
    for (let index = 0; index < REPLICAS; index += 1) replicas.push(await Replica.start(environment));
    const anyReplica = (url: string, init: RequestInit) => {
      const up = replicas.filter(({ isRunning }) => isRunning);
      return fetch(url.replace(ANY_REPLICA, oneOf(up.length > 0 ? up : replicas, Math.random).url), init);
    };
    const { faults, figures } = await run({
      client: new WaybillClient({ baseUrl: ANY_REPLICA, fetch: anyReplica, retries: 50 }),
      replicas,
      server,
      receivers,
      writes: wholeNumber('writes', values.writes),
      writers: wholeNumber('writers', values.writers),
      webhooks: wholeNumber('webhooks', values.webhooks),
      rounds: wholeNumber('rounds', values.rounds, 0),
      random,
      sabotage,
      say,
    });
    say(JSON.stringify(figures));
    for (const fault of faults.slice(0, FAULTS_SHOWN)) say(`FAIL  ${fault}`);
    say(
      faults.length === 0
        ? 'Every matching event was delivered, per record in order, and repeated only with the same id.'
        : `${faults.length} faults.`,
    );
    return faults.length === 0;
  } finally {
    await Promise.all(replicas.map((replica) => replica.kill()));
    receivers.stop();
    await server.remove();
  }
}

function sabotageNamed(name: string): Sabotage {
  if (!Object.hasOwn(SABOTAGES, name)) throw new Error(`--sabotage takes one of ${Object.keys(SABOTAGES).join(', ')}`);
  return name as Sabotage;
}

exitWith(main);
