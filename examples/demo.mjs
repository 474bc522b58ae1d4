// The console with data, people and colleagues:  npm run demo
// Starts a database, an issuer to sign in at and the service, all of them its own, and takes them away again with Ctrl-C.
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { WaybillClient } from '@waybill/client';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { readCommandLine } from '../dist/src/config/command-line.js';
import { getInTheWay, work } from './demo/colleagues.mjs';
import { AUDIENCE, CLIENT_ID, startIssuer } from './demo/issuer.mjs';
import { startService } from './race/throwaway-service.mjs';

const USAGE = `Shows the console at work: a seeded database, people to sign in as, and colleagues who change things meanwhile.

  npm run demo -- [--port N] [--moves N] [--seconds N]

  --port N     where the service listens (3000)
  --moves N    how many moves the week before has, with three shipments each on average (150)
  --seconds N  end after so long; without it, Ctrl-C does`;

const { values } = readCommandLine(USAGE, {
  options: {
    port: { type: 'string', default: '3000' },
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
  say('Making a week of moves, with their histories ...');
  const environment = { PATH: process.env.PATH, DATABASE_URL: postgres.url, SHIPMENT_TYPES };
  await promisify(execFile)(process.execPath, ['dist/src/commands/seed/main.js', '--week', '--moves', values.moves], {
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
  const [rival, ...others] = await Promise.all(COLLEAGUES.map((name) => issuer.token(name)));
  const client = new WaybillClient({ baseUrl: service.url, token: rival });
  const { items } = await client.shipments.list({ status: ['APPROVED'], sort: '-updatedAt', limit: 1 }).page();
  const contested = items[0]?.id;
  say(`
The console is at  ${service.url}/console
Sign in as anybody; no password is asked for.

To meet a conflict, edit the delivery date or the remarks of this shipment, take a few seconds, and save:
  ${service.url}/console/shipments/${contested}/edit
${COLLEAGUES[0]} is changing it, too. ${COLLEAGUES.slice(1).join(' and ')} work on the board.

Ctrl-C ends it and leaves nothing behind.`);
  const atWork = [
    getInTheWay(service.url, rival, contested, signal),
    ...others.map((token) => work(service.url, token, signal)),
  ];
  if (values.seconds !== undefined) atWork.push(sleep(Number(values.seconds) * 1000, undefined, { signal }));
  await Promise.race(atWork).catch((error) => {
    if (!signal.aborted) throw error;
  });
} finally {
  ending.abort();
  await service?.stop();
  await issuer.stop();
  await postgres.stop();
}
