import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mayBeDone, WaybillClient } from '../../client/src/waybill.js';
import { READS, WRITES, type Call, type Own } from './proxied-calls.js';
import { FaultyProxy, proxyFaults } from '../support/http/faulty-proxy.js';
import { allNumbered } from '../support/records/events.js';
import { ADDRESS, createAgent, createService, createShipment } from '../support/records/records.js';
import { shareOf } from '../support/repository/sweeps.js';
import { useService } from '../support/service/service.js';

/*
 * Each call of the client meets each fault of a proxy, once and always, in front of the real service. What it reports must be so: a promise
 * that resolves was done, once; one that rejects was not, or says that it may have been.
 */

const service = useService({ POOL_SIZE: '4' });
const NEVER = 1_000_000;
const ELSEWHERE = JSON.stringify({ id: '0199c3a0-8a10-7d2f-8b64-1a9f6e2d3c4b', eTag: 'v1' });
let proxy: FaultyProxy;
let elsewhere: Server;
let visits = 0;
let clients = 0;

beforeAll(async () => {
  elsewhere = createServer((_, response) => {
    visits += 1;
    response.setHeader('Content-Type', 'application/json').end(ELSEWHERE);
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  const { port } = elsewhere.address() as AddressInfo;
  proxy = await FaultyProxy.start(service.port, proxyFaults(`http://127.0.0.1:${port}/v1/shipments`));
});
afterAll(async () => {
  await proxy.stop();
  elsewhere.closeAllConnections();
  elsewhere.close();
});

async function own(): Promise<Own> {
  const shipment = await createShipment(service.api, { destinationAddress: ADDRESS });
  const [agent, packing] = [
    await createAgent(service.api, {}, shipment),
    await createService(service.api, {}, shipment),
  ];
  const { body: move } = await service.api.post('/v1/moves', {});
  return { move, shipment, agent, service: packing };
}

interface Outcome {
  readonly value?: unknown;
  readonly error?: unknown;
  /** How many entries of the history and imports the call has made. */
  readonly done: number;
}

async function made(author: string): Promise<number> {
  const { rows } = await service.sql.query<{ done: number }>(
    `SELECT ((SELECT count(*) FROM history WHERE changed_by = $1) + (SELECT count(*) FROM imports WHERE created_by = $1))::int AS done`,
    [author],
  );
  return rows[0]?.done ?? NaN;
}

async function outcomeOf(call: Call, records: Own, fault: string, count: number): Promise<Outcome> {
  const author = `client ${(clients += 1)}`;
  const client = new WaybillClient({
    baseUrl: proxy.url,
    retries: 2,
    // Only a held response takes so long.
    timeoutMs: fault.startsWith('holds') ? 500 : 60_000,
    headers: { 'X-Fault': fault, 'X-Fault-Count': String(count), 'X-Fault-Client': author, 'X-Display-Name': author },
  });
  const settled = await call(client, records).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  return { ...settled, done: await made(author) };
}

const FAULTS = Object.keys(proxyFaults(''));
/** Of the faults, each call meets so few in npm test. */
const SHARES = 10;

describe.each([
  ['the first request', 1],
  ['every request', NEVER],
])('a proxy that does it to %s', (_, count) => {
  test.each(Object.entries(WRITES).map(([name, call], place) => [name, call, place] as const))(
    '%s reports what it has done',
    async (name, call, place) => {
      const usual = await outcomeOf(call, await own(), '', 0);
      expect([name, usual.error, usual.done > 0]).toEqual([name, undefined, true]);
      const wrong: string[] = [];
      for (const fault of shareOf(FAULTS, place, SHARES)) {
        // An upload waits for ten minutes.
        if (name === 'imports.upload' && fault.startsWith('holds')) continue;
        const { error, done } = await outcomeOf(call, await own(), fault, count);
        if (done > usual.done) wrong.push(`${fault}: it was done more than once`);
        if (error === undefined && done !== usual.done) wrong.push(`${fault}: it resolved, but was not done`);
        if (error !== undefined && done > 0 && !mayBeDone(error))
          wrong.push(`${fault}: it was done, but says it was not`);
      }
      expect(wrong).toEqual([]);
    },
    600_000,
  );

  test.each(Object.entries(READS).map(([name, call], place) => [name, call, place] as const))(
    '%s returns what is there, or nothing',
    async (_name, call, place) => {
      const records = await own();
      // A change is an event a moment later.
      await allNumbered(service.sql);
      const { value } = await outcomeOf(call, records, '', 0);
      expect(value).toBeDefined();
      const wrong: unknown[] = [];
      for (const fault of shareOf(FAULTS, place, SHARES)) {
        const outcome = await outcomeOf(call, records, fault, count);
        const isRight = JSON.stringify(outcome.value) === JSON.stringify(value);
        if (outcome.error === undefined && !isRight) wrong.push([fault, outcome.value]);
      }
      expect(wrong).toEqual([]);
    },
    600_000,
  );
});

test('no redirect was followed', () => {
  expect(visits).toBe(0);
});
