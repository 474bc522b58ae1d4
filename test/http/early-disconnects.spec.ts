import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { EventTail } from '../../src/events/event-tail.js';
import { readBody } from '../../src/http/read-body.js';
import { Slots } from '../../src/http/slots.js';
import { leaveAfter, TURNS } from '../support/http/disconnects.js';
import { eventually } from '../support/races/eventually.js';
import { csvOf, imported, upload } from '../support/records/imports.js';
import { insertLongShipments } from '../support/database/large-lists.js';
import { rawRequest } from '../support/http/raw-http.js';
import { bearer, signToken, useSecuredService } from '../support/http/tokens.js';

const PATIENCE_MS = 30_000;
const FILE = csvOf(['shipmentType', 'estimatedWeight'], [['HHG', 'heavy']]);

// With tokens, every request waits for the verification of its token before any route sees it.
const { service, key } = useSecuredService({ POOL_SIZE: '3' });
let slots: Slots;
let token: { Authorization: string };
let resultPath: string;

beforeAll(async () => {
  slots = service.app.get(Slots);
  token = bearer(await signToken(key, { scope: 'moves:read shipments:read shipments:write' }));
  // About 16 MB, more than the operating system buffers: an export that nobody reads stays open.
  await insertLongShipments(service.sql, 2000);
  resultPath = `/v1/imports/${(await imported(service.api.as(token), FILE)).id}/result`;
});

/** One request for each kind of slot. */
const REQUESTS: Readonly<Record<string, () => Buffer>> = {
  streams: () => raw('GET', '/v1/events/stream?after=now'),
  waits: () => raw('GET', '/v1/events?after=now&wait=30'),
  exports: () => raw('GET', '/v1/shipments', ['Accept', 'text/csv']),
  uploads: () => raw('POST', '/v1/imports', ['Content-Type', 'text/csv'], FILE),
  results: () => raw('GET', resultPath),
};
const KINDS = Object.entries(REQUESTS);

function raw(method: string, path: string, header?: [string, string], body?: string): Buffer {
  return rawRequest(method, path, [...Object.entries(token), ...(header ? [header] : [])], body);
}

async function busyConnections(): Promise<number> {
  const { rows } = await service.sql.query<{ count: number }>(`
    SELECT count(*)::int FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'waybill%' AND xact_start IS NOT NULL`);
  return rows[0]?.count ?? -1;
}

test.each(KINDS)('%s: a client that leaves at any moment frees its slot', async (kind, request) => {
  const server: Server = service.app.getHttpServer();
  for (const turns of TURNS) {
    await leaveAfter(server, turns, request());
    await eventually(() => slots.of(kind).inUse === 0, PATIENCE_MS, `a slot is free after ${turns} turns`);
  }
  await eventually(async () => (await busyConnections()) === 0, PATIENCE_MS, 'no transaction is open');
  await eventually(() => !service.app.get(EventTail).isFollowed, PATIENCE_MS, 'nobody follows the events');
  await eventually(() => slots.of(kind).inUse === 0, PATIENCE_MS, 'every slot is free');
});

test.each(KINDS)('%s: the gauge counts a request until its client leaves', async (kind, request) => {
  const gauge = async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return new RegExp(`^waybill_slots_in_use\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(text)?.[1];
  };
  const holder = await service.connect();
  await holder.query('BEGIN; LOCK TABLE imports, import_rows IN ACCESS EXCLUSIVE MODE');
  const client = connect(service.port, '127.0.0.1', () => client.write(request())).pause();
  await eventually(async () => (await gauge()) === '1', PATIENCE_MS, 'the request is counted');
  client.destroy();
  await eventually(async () => (await gauge()) === '0', PATIENCE_MS, 'its slot is free');
  await holder.query('ROLLBACK');
  await holder.end();
});

test('an upload is taken after all of them', async () => {
  expect((await upload(service.api.as(token), FILE)).status).toBe(201);
});

test('a body whose client has left before it is read is refused, not waited for', async () => {
  const server = createServer();
  const read = new Promise((resolve, reject) => {
    server.once('request', (request) => {
      request.once('close', () => setImmediate(() => void readBody(request, 1000).then(resolve, reject)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const outcome = expect(read).rejects.toMatchObject({ code: 'MALFORMED_REQUEST' });
  await leaveAfter(server, 1, rawRequest('POST', '/', [], 'a body'));
  await outcome;
  server.close();
});
