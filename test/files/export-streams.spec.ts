import { once } from 'node:events';
import { connect } from 'node:net';
import { Exports } from '../../src/files/exports.js';
import { Slots, type LimitedSlots } from '../../src/http/slots.js';
import { eventually } from '../support/races/eventually.js';
import { CSV, JSON_LINES, recordsOf, textOf } from '../support/records/files.js';
import { insertLongShipments } from '../support/database/large-lists.js';
import { expectProblem } from '../support/http/problem.js';
import { startService, useService } from '../support/service/service.js';

/** About 14 MB, more than the buffers of the operating system take for a connection: an export that nobody reads stays open. */
const COUNT = 1800;
const PATIENCE_MS = 60_000;

const service = useService({ TRUSTED_PROXIES: 'loopback' });
let exports: Exports;
let slots: LimitedSlots;

beforeAll(async () => {
  await insertLongShipments(service.sql, COUNT);
  exports = service.app.get(Exports);
  slots = service.app.get(Slots).of('exports');
});

/** An export that is under way, and waits for its reader. */
async function held(headers: Record<string, string> = JSON_LINES, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(`${service.url}/v1/shipments`, { headers, ...(signal && { signal }) });
  expect(response.status).toBe(200);
  return response;
}

/** The connections of running exports, as PostgreSQL lists them. */
async function connections({ sql } = service): Promise<{ pid: number; state: string; wait_event_type: string }[]> {
  const { rows } = await sql.query(`
    SELECT pid, state, wait_event_type FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'waybill-exports' AND xact_start IS NOT NULL`);
  return rows;
}

async function untilNoneIsOpen(): Promise<void> {
  const isSo = async () => slots.inUse === 0 && (await connections()).length === 0;
  await eventually(isSo, PATIENCE_MS, 'no export has a connection');
}

afterEach(untilNoneIsOpen);

test('a file shows the list as it was when it was asked for, whatever is changed meanwhile', async () => {
  const response = await held();
  expect(slots.inUse).toBe(1);
  await service.sql.query(`SET session_replication_role = replica; UPDATE shipments SET shipment_type = 'NEW'`);
  await service.sql.query(`DELETE FROM shipments WHERE id IN (SELECT id FROM shipments LIMIT 100)`);
  const types = recordsOf(await response.text()).map(({ shipmentType }) => String(shipmentType));
  expect([types.length, [...new Set(types)]]).toEqual([COUNT, ['OLD']]);
  const after = recordsOf(await textOf(held()));
  expect([after.length, after[0].shipmentType]).toEqual([COUNT - 100, 'NEW']);
});

test('503 when all slots are in use, 429 for a second one of the same caller, and other requests are served', async () => {
  const { refused } = exports.outcomes;
  const from = (address: string) => ({ ...JSON_LINES, 'X-Forwarded-For': address });
  const responses = [await held(from('192.0.2.1'))];
  const second = await service.api.get('/v1/moves', from('192.0.2.1'));
  expectProblem(second, 429, 'RATE_LIMITED');
  for (let count = 2; count <= slots.limits.limit; count += 1) responses.push(await held(from(`192.0.2.${count}`)));
  const answer = await service.api.get('/v1/moves', CSV);
  expectProblem(answer, 503, 'UNAVAILABLE');
  expect([second, answer].map(({ headers }) => headers.get('Retry-After'))).toEqual(['5', '5']);
  expect(exports.outcomes.refused).toBe(refused + 2);
  // The pool of these requests has one connection.
  expect((await service.api.get('/v1/shipments?limit=1')).status).toBe(200);
  expect((await fetch(`${service.url}/v1/moves`, { method: 'HEAD', headers: CSV })).status).toBe(200);
  await Promise.all(responses.map((response) => response.text()));
  expect((await service.api.get('/v1/moves', CSV)).status).toBe(200);
});

test('a client that goes away ends its export', async () => {
  const leaving = new AbortController();
  const { left } = exports.outcomes;
  await held(CSV, leaving.signal);
  expect(await connections()).toHaveLength(1);
  leaving.abort();
  await untilNoneIsOpen();
  await eventually(() => exports.outcomes.left === left + 1, PATIENCE_MS, 'the export counts as left');
});

test('so does one that goes away before the first record is found', async () => {
  const holder = await service.connect();
  await holder.query('BEGIN; LOCK TABLE shipments IN ACCESS EXCLUSIVE MODE');
  const leaving = new AbortController();
  const { left } = exports.outcomes;
  const asked = fetch(`${service.url}/v1/shipments`, { headers: CSV, signal: leaving.signal });
  const isBlocked = async () => (await connections()).some((each) => each.wait_event_type === 'Lock');
  await eventually(isBlocked, PATIENCE_MS, 'the export waits for the lock');
  leaving.abort();
  await expect(asked).rejects.toThrow();
  await untilNoneIsOpen();
  await eventually(() => exports.outcomes.left === left + 1, PATIENCE_MS, 'the export counts as left');
  await holder.query('ROLLBACK');
  await holder.end();
});

test('a failure in the middle breaks the answer off, so that nobody takes it for complete', async () => {
  const { failed } = exports.outcomes;
  const response = await held();
  const [connection] = await connections();
  await service.sql.query('SELECT pg_terminate_backend($1)', [connection?.pid]);
  await expect(response.text()).rejects.toThrow();
  await eventually(() => exports.outcomes.failed === failed + 1, PATIENCE_MS, 'the export counts as failed');
});

test('406 with HTTP/1.0, whose clients would not notice', async () => {
  const socket = connect(service.port, '127.0.0.1');
  socket.write('GET /v1/shipments HTTP/1.0\r\nHost: localhost\r\nAccept: text/csv\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 406 [^]*"code":"NOT_ACCEPTABLE"/);
  socket.destroy();
});

test('a reader that does not read is cut off', async () => {
  const impatient = await startService({ WRITE_TIMEOUT_MS: '300' }, () => service.databaseUrl);
  const response = await fetch(`${impatient.url}/v1/shipments`, { headers: CSV });
  const outcomes = () => impatient.app.get(Exports).outcomes;
  await eventually(() => outcomes().left === 1, PATIENCE_MS, 'the export is ended');
  await expect(response.text()).rejects.toThrow();
  await impatient.stop();
});
