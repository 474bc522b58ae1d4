import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  mayBeDone,
  WaybillClient,
  type Agent,
  type Move,
  type Service,
  type Shipment,
} from '../../client/src/waybill.js';
import { FaultyProxy, proxyFaults } from '../support/http/faulty-proxy.js';
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

/** Records of its own for each call. */
interface Own {
  readonly move: Move;
  readonly shipment: Shipment;
  readonly agent: Agent;
  readonly service: Service;
}

async function own(): Promise<Own> {
  const shipment = await createShipment(service.api, { destinationAddress: ADDRESS });
  const [agent, packing] = [
    await createAgent(service.api, {}, shipment),
    await createService(service.api, {}, shipment),
  ];
  const { body: move } = await service.api.post('/v1/moves', {});
  return { move, shipment, agent, service: packing } as unknown as Own;
}

type Call = (client: WaybillClient, own: Own) => Promise<unknown>;

const version = ({ eTag }: { readonly eTag: string }) => ({ ifMatch: eTag });
const addressOf = ({ id, destinationAddress }: Shipment) => ({
  shipmentID: id,
  addressID: destinationAddress?.id ?? '',
});
const APPROVED = { status: 'APPROVED' } as const;
const AGENT = { agentType: 'RECEIVING_AGENT', firstName: 'Ben', phone: '1' } as const;

const WRITES: Readonly<Record<string, Call>> = {
  'moves.create': ({ moves }) => moves.create({ remarks: 'x' }),
  'moves.update': ({ moves }, { move }) => moves.update(move.id, { remarks: 'x' }),
  'moves.patch': ({ moves }, { move }) => moves.patch(move.id, { remarks: 'x' }, version(move)),
  'moves.replace': ({ moves }, { move }) => moves.replace(move.id, { remarks: 'x' }, version(move)),
  'moves.delete': ({ moves }, { move }) => moves.delete(move.id),
  'shipments.create': ({ shipments }) => shipments.create({ shipmentType: 'HHG' }),
  'shipments.update': ({ shipments }, { shipment }) => shipments.update(shipment, { actualWeight: 7 }),
  'shipments.patch': ({ shipments }, { shipment }) =>
    shipments.patch(shipment.id, { actualWeight: 7 }, { ...version(shipment), expand: ['agents'] }),
  'shipments.replace': ({ shipments }, { shipment }) =>
    shipments.replace(shipment.id, { shipmentType: 'X' }, version(shipment)),
  'shipments.delete': ({ shipments }, { shipment }) => shipments.delete(shipment.id, version(shipment)),
  'shipments.updateStatus': ({ shipments }, { shipment }) => shipments.updateStatus(shipment.id, APPROVED),
  'shipments.patchStatus': ({ shipments }, { shipment }) =>
    shipments.patchStatus(shipment.id, APPROVED, version(shipment)),
  'shipments.bulk': ({ shipments }, { shipment: { id, eTag } }) =>
    shipments.bulk([{ op: 'update', id, ifMatch: eTag, patch: { actualWeight: 7 } }]),
  'shipments.updateMany': async ({ shipments }, { shipment }) =>
    allDone(await shipments.updateMany([shipment], { actualWeight: 7 })),
  'shipments.updateStatusMany': async ({ shipments }, { shipment }) =>
    allDone(await shipments.updateStatusMany([shipment.id], APPROVED)),
  'addresses.update': ({ addresses }, { shipment }) => addresses.update(addressOf(shipment), { ...ADDRESS, city: 'B' }),
  'addresses.replace': ({ addresses }, { shipment }) =>
    addresses.replace(addressOf(shipment), { ...ADDRESS, city: 'B' }, version(shipment)),
  'agents.create': ({ agents }, { shipment }) => agents.create(shipment.id, AGENT),
  'agents.update': ({ agents }, { agent }) => agents.update(agent.id, { lastName: 'x' }),
  'agents.patch': ({ agents }, { agent }) => agents.patch(agent.id, { lastName: 'x' }, version(agent)),
  'agents.replace': ({ agents }, { agent }) => agents.replace(agent.id, AGENT, version(agent)),
  'agents.delete': ({ agents }, { agent }) => agents.delete(agent.id),
  'services.create': ({ services }, { shipment }) => services.create(shipment.id, { code: 'X' }),
  'services.update': (client, { service: { id } }) => client.services.update(id, { description: 'x' }),
  'services.patch': (client, { service: one }) => client.services.patch(one.id, { description: 'x' }, version(one)),
  'services.replace': (client, { service: one }) => client.services.replace(one.id, { code: 'X' }, version(one)),
  'services.delete': (client, { service: { id } }) => client.services.delete(id),
  'imports.upload': ({ imports }) => imports.upload('shipmentType\r\nHHG\r\n'),
  'webhooks.create': ({ webhooks }) => webhooks.create({ url: 'https://partner.example/hook', enabled: false }),
};

/** Many shipments that were not all changed are a rejection, whose error is that of the first one. */
async function allDone({
  refused,
  unknown,
}: {
  refused: readonly { error: Error }[];
  unknown: readonly { error: Error }[];
}) {
  const [first] = [...refused, ...unknown];
  if (first !== undefined) throw first.error;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const READS: Readonly<Record<string, Call>> = {
  'moves.get': ({ moves }, { move }) => moves.get(move.id),
  'moves.list': ({ moves }, { move }) => all(moves.list({ orderID: move.id })),
  'moves.history': ({ moves }, { move }) => all(moves.history(move.id)),
  'shipments.get': ({ shipments }, { shipment }) =>
    shipments.get(shipment.id, { expand: ['agents', 'services', 'move'] }),
  'shipments.list': ({ shipments }, { shipment }) => all(shipments.list({ moveID: shipment.moveID })),
  'shipments.export': ({ shipments }, { shipment }) => all(shipments.export({ moveID: shipment.moveID })),
  'shipments.export as a file': async ({ shipments }, { shipment }) =>
    new Response(await shipments.export({ moveID: shipment.moveID }).file('csv')).text(),
  'addresses.get': ({ addresses }, { shipment }) => addresses.get(addressOf(shipment)),
  'agents.list': ({ agents }, { shipment }) => all(agents.list(shipment.id)),
  'services.get': (client, { service: { id } }) => client.services.get(id),
  'events.list': async ({ events }, { move }) => {
    const { items } = await events.list({ resourceID: move.id }).page();
    return items.map(({ id }) => id);
  },
  overview: async (client) => (await client.overview({ from: '2020-01-01', to: '2020-01-02' })).days,
};

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
      expect(usual).toMatchObject({ done: expect.any(Number) });
      expect([name, usual.error, usual.done > 0]).toEqual([name, undefined, true]);
      const wrong: string[] = [];
      const faults = shareOf(FAULTS, place, SHARES);
      await Promise.all(
        faults.map(async (fault) => {
          const { error, done } = await outcomeOf(call, await own(), fault, count);
          if (done > usual.done) wrong.push(`${fault}: it was done more than once`);
          if (error === undefined && done !== usual.done) wrong.push(`${fault}: it resolved, but was not done`);
          if (error !== undefined && done > 0 && !mayBeDone(error))
            wrong.push(`${fault}: it was done, but reports that it was not`);
        }),
      );
      expect(wrong).toEqual([]);
    },
    600_000,
  );

  test.each(Object.entries(READS).map(([name, call], place) => [name, call, place] as const))(
    '%s returns what is there, or nothing',
    async (_name, call, place) => {
      const records = await own();
      const { value } = await outcomeOf(call, records, '', 0);
      expect(value).toBeDefined();
      const wrong: unknown[] = [];
      await Promise.all(
        shareOf(FAULTS, place, SHARES).map(async (fault) => {
          const outcome = await outcomeOf(call, records, fault, count);
          if (outcome.error === undefined && JSON.stringify(outcome.value) !== JSON.stringify(value)) {
            wrong.push([fault, outcome.value]);
          }
        }),
      );
      expect(wrong).toEqual([]);
    },
    600_000,
  );
});

test('no redirect was followed', () => {
  expect(visits).toBe(0);
});
