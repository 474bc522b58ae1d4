// The console with sample data and simulated users:  npm run demo
// Starts a temporary database, identity provider and service. Ctrl-C stops and removes them.
import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers';
import { promisify } from 'node:util';
import { WaybillClient } from '@waybill/client';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { readCommandLine } from '../dist/src/config/command-line.js';
import { getInTheWay, work } from './demo/colleagues.mjs';
import { AUDIENCE, CLIENT_ID, startIssuer } from './demo/issuer.mjs';
import { startService } from './race/throwaway-service.mjs';

const USAGE = `Shows the console at work: a seeded database, people to sign in as, and colleagues who change things meanwhile.

  npm run demo -- [--port N] [--moves N] [--seconds N]

  --port N     where the service listens (PORT of the environment, or 3000)
  --moves N    how many moves the week before has, with three shipments each on average (150)
  --seconds N  end after so long; without it, Ctrl-C does`;

const { values } = readCommandLine(USAGE, {
  options: {
    port: { type: 'string', default: process.env.PORT ?? '3000' },
    moves: { type: 'string', default: '150' },
    seconds: { type: 'string' },
  },
});

const SHIPMENT_TYPES = 'Household goods,Storage,Baggage,Car,Boat';
const YOU = ['Ann Porter', 'Maya Chen'];
const COLLEAGUES = ['Ben Okafor', 'Carla Diaz', 'Jonas Weber'];
const ending = new AbortController();
process.once('SIGINT', () => ending.abort());
process.once('SIGTERM', () => ending.abort());
const { signal } = ending;
const say = (line) => process.stdout.write(`${line}\n`);

const postgres = await startThrowawayPostgres();
const issuer = await startIssuer([...YOU, ...COLLEAGUES]);
let service;
try {
  say('Creating a week of moves with their history ...');
  const environment = { PATH: process.env.PATH, DATABASE_URL: postgres.url, SHIPMENT_TYPES };
  await promisify(execFile)(process.execPath, ['dist/tools/seed/main.js', '--week', '--moves', values.moves], {
    env: environment,
  });
  service = await startService({
    ...environment,
    PORT: values.port,
    AUTH_MODE: 'jwt',
    JWT_ISSUER: issuer.url,
    JWT_AUDIENCE: AUDIENCE,
    JWT_JWKS_URL: issuer.keysUrl,
    JWT_NAME_CLAIM: 'name',
    CONSOLE_CLIENT_ID: CLIENT_ID,
  });
  const [rival, ...others] = COLLEAGUES;
  const client = new WaybillClient({ baseUrl: service.url, token: () => issuer.token(rival) });
  const { items } = await client.shipments.list({ status: ['APPROVED'], sort: '-updatedAt', limit: 1 }).page();
  const contested = items[0]?.id;
  say(`
The console is at  ${service.url}/console
Sign in as anybody; no password is asked for.

To meet a conflict, edit the delivery date or the remarks of this shipment, take a few seconds, and save:
  ${service.url}/console/shipments/${contested}/edit
${rival} is changing it, too. ${others.join(' and ')} work on the board.

Ctrl-C ends it and leaves nothing behind.`);
  const onFault = (name, error) => process.stderr.write(`A request of ${name} failed: ${error.message}\n`);
  const workplace = { url: service.url, issuer, signal, onFault };
  const atWork = [getInTheWay(rival, contested, workplace), ...others.map((name) => work(name, workplace))];
  if (values.seconds !== undefined) setTimeout(() => ending.abort(), Number(values.seconds) * 1000).unref();
  await Promise.race([Promise.all(atWork), service.exited]);
  if (!signal.aborted) {
    say('The service has stopped.');
    process.exitCode = 1;
  }
} finally {
  ending.abort();
  await service?.stop();
  await issuer.stop();
  await postgres.stop();
}
