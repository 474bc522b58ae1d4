import { Client as Sql } from 'pg';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { WaybillClient } from '@waybill/client';
import { readCommandLine } from '../../../src/config/command-line.js';
import { oneOf, seeded } from '../crash/random.js';
import { exitWith, say, wholeNumber } from '../crash/report.js';
import { Replica } from '../../../test/support/service/replica.js';
import { run } from './campaign.js';
import { sabotaged, SABOTAGES, type Sabotage } from './sabotage.js';

const USAGE = `Keeps mirrors of all shipments while writers change them at random and two replicas are restarted, and compares them with the database.

  npm run campaign -- mirror [--writes N] [--writers N] [--restarts N] [--seed N] [--sabotage KIND]

  --writes N       how many writes have to be accepted (5000)
  --writers N      how many write at the same time (8)
  --restarts N     how often each replica is restarted (10)
  --seed N         for the choices of the writers (1)
  --sabotage KIND  loses events on purpose, to show that the checks notice: ${Object.keys(SABOTAGES).join(', ')}`;

const REPLICAS = 2;
/** Stands for any replica that is up. */
const ANY_REPLICA = 'http://any-replica';

async function main(): Promise<boolean> {
  const { values } = readCommandLine(USAGE, {
    options: {
      writes: { type: 'string', default: '5000' },
      writers: { type: 'string', default: '8' },
      restarts: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      sabotage: { type: 'string' },
    },
  });
  const random = seeded(wholeNumber('seed', values.seed));
  const server = await startThrowawayPostgres();
  const sql = new Sql({ connectionString: server.url });
  const replicas: Replica[] = [];
  try {
    const environment = { DATABASE_URL: server.url, LOG_LEVEL: 'error' };
    for (let index = 0; index < REPLICAS; index += 1) replicas.push(await Replica.start(environment));
    await sql.connect();
    const anyReplica = (url: string, init: RequestInit) => {
      const up = replicas.filter(({ isRunning }) => isRunning);
      return fetch(url.replace(ANY_REPLICA, oneOf(up.length > 0 ? up : replicas, Math.random).url), init);
    };
    const send = values.sabotage === undefined ? anyReplica : sabotaged(anyReplica, sabotageNamed(values.sabotage));
    const { faults, figures } = await run({
      client: new WaybillClient({ baseUrl: ANY_REPLICA, fetch: send, retries: 50 }),
      replicas,
      writes: wholeNumber('writes', values.writes),
      writers: wholeNumber('writers', values.writers),
      restarts: wholeNumber('restarts', values.restarts, 0),
      random,
      say,
      entries: async () => {
        const { rows } = await sql.query<{ entries: number }>('SELECT count(*)::int AS entries FROM history');
        return rows[0]?.entries ?? NaN;
      },
    });
    say(JSON.stringify(figures));
    for (const fault of faults) say(`FAIL  ${fault}`);
    say(
      faults.length === 0
        ? 'The mirrors equal the database, and no event was missed or came twice.'
        : 'The mirrors are not true.',
    );
    return faults.length === 0;
  } finally {
    await Promise.all(replicas.map((replica) => replica.kill()));
    await sql.end();
    await server.stop();
  }
}

function sabotageNamed(name: string): Sabotage {
  if (!Object.hasOwn(SABOTAGES, name)) throw new Error(`--sabotage takes one of ${Object.keys(SABOTAGES).join(', ')}`);
  return name as Sabotage;
}

exitWith(main);
