import { Client as Sql } from 'pg';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import type { WaybillClient } from '@waybill/client';
import { readCommandLine } from '../../../src/config/command-line.js';
import { measured } from '../../evidence/measured.mjs';
import { seeded } from '../crash/random.js';
import { exitWith, sabotageNamed, say, wholeNumber } from '../crash/report.js';
import type { Replica } from '../../../test/support/service/replica.js';
import { run } from './campaign.js';
import { sabotaged, SABOTAGES } from './sabotage.js';
import { withTwoReplicas } from './two-replicas.js';

const USAGE = `Keeps mirrors of all shipments while writers change them at random and two replicas are restarted, and compares them with the database.

  npm run campaign -- mirror [--writes N] [--restarts N] [--seed N] [--sabotage KIND]

  --writes N       how many writes have to be accepted (5000)
  --restarts N     how often each replica is restarted (10)
  --seed N         for the choices of the writers (1)
  --sabotage KIND  loses events on purpose, to show that the checks notice: ${Object.keys(SABOTAGES).join(', ')}`;

async function main(): Promise<boolean> {
  const { values } = readCommandLine(USAGE, {
    options: {
      writes: { type: 'string', default: '5000' },
      restarts: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      sabotage: { type: 'string' },
    },
  });
  const random = seeded(wholeNumber('seed', values.seed));
  measured({ seed: Number(values.seed) });
  const sabotage = sabotageNamed(SABOTAGES, values.sabotage);
  const server = await startThrowawayPostgres();
  const sql = new Sql({ connectionString: server.url });
  try {
    await sql.connect();
    const campaign = (replicas: readonly Replica[], client: WaybillClient) =>
      run({
        client,
        replicas,
        writes: wholeNumber('writes', values.writes),
        restarts: wholeNumber('restarts', values.restarts, 0),
        random,
        say,
        entries: async () => {
          const { rows } = await sql.query<{ entries: number }>('SELECT count(*)::int AS entries FROM history');
          return rows[0]?.entries ?? NaN;
        },
      });
    return await withTwoReplicas({ DATABASE_URL: server.url }, campaign, {
      success: 'The mirrors equal the database, and no event was missed or came twice.',
      ...(sabotage && { spoil: (send) => sabotaged(send, sabotage) }),
    });
  } finally {
    await sql.end();
    await server.stop();
  }
}

exitWith(main);
