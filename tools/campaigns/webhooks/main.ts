import type { WaybillClient } from '@waybill/client';
import { readCommandLine } from '../../../src/config/command-line.js';
import { PostgresServer } from '../../../test/support/database/postgres-server.js';
import type { Replica } from '../../../test/support/service/replica.js';
import { measured } from '../../evidence/measured.mjs';
import { seeded } from '../crash/random.js';
import { exitWith, sabotageNamed, say, wholeNumber } from '../crash/report.js';
import { withTwoReplicas } from '../mirror/two-replicas.js';
import { run } from './campaign.js';
import { SABOTAGES } from './faults.js';
import { Receivers } from './receivers.js';

const USAGE = `Delivers webhooks to receivers that fail while two replicas and PostgreSQL are killed, and checks that every matching event arrived, in order.

  npm run campaign -- webhooks [--writes N] [--webhooks N] [--rounds N] [--seed N] [--sabotage KIND]

  --writes N       how many writes have to be accepted (100000)
  --webhooks N     how many webhooks there are (20)
  --rounds N       how often a replica is killed at each step of a delivery (10)
  --seed N         for the choices of writers and receivers (1)
  --sabotage KIND  spoils deliveries on purpose, to show that the checks notice: ${Object.keys(SABOTAGES).join(', ')}`;

async function main(): Promise<boolean> {
  const { values } = readCommandLine(USAGE, {
    options: {
      writes: { type: 'string', default: '100000' },
      webhooks: { type: 'string', default: '20' },
      rounds: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      sabotage: { type: 'string' },
    },
  });
  const random = seeded(wholeNumber('seed', values.seed));
  measured({ seed: Number(values.seed) });
  const sabotage = sabotageNamed(SABOTAGES, values.sabotage);
  const server = await PostgresServer.start();
  const receivers = await Receivers.start(random);
  try {
    const environment = { DATABASE_URL: server.url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
    const campaign = (replicas: readonly Replica[], client: WaybillClient) =>
      run({
        client,
        replicas,
        server,
        receivers,
        writes: wholeNumber('writes', values.writes),
        webhooks: wholeNumber('webhooks', values.webhooks),
        rounds: wholeNumber('rounds', values.rounds, 0),
        random,
        sabotage,
        say,
      });
    const success = 'Every matching event was delivered, per record in order, and repeated only with the same id.';
    return await withTwoReplicas(environment, campaign, { success });
  } finally {
    receivers.stop();
    await server.remove();
  }
}

exitWith(main);
