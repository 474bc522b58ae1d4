import { Client } from 'pg';
import { Database } from '../../src/database/database.js';
import type { Answer, Json } from '../support/http/api.js';
import { eventually } from '../support/races/eventually.js';
import { createShipment } from '../support/records/records.js';
import { queriesOf } from '../support/database/queries.js';
import { useService } from '../support/service/service.js';

const service = useService({ POOL_SIZE: '1' });

const newShipment = () => createShipment(service.api);

/** Resolves when all of these reads have gone out on the only connection, although PostgreSQL has answered none of them yet. */
async function sendAll(paths: readonly string[]): Promise<Promise<Answer<Json>>[]> {
  const sent = jest.spyOn(Client.prototype, 'query');
  const reads: Promise<Answer<Json>>[] = [];
  for (const path of paths) {
    reads.push(service.api.get(path));
    await eventually(() => queriesOf(sent).length === reads.length, 20_000, `read ${reads.length} is sent`);
  }
  sent.mockRestore();
  return reads;
}

test('reads of single records at the same time share a connection, and each gets its own record', async () => {
  const shipments: Json[] = [];
  for (let turn = 0; turn < 8; turn += 1) shipments.push(await newShipment());
  const blocker = await service.connect();
  await blocker.query('BEGIN');
  await blocker.query('LOCK TABLE shipments IN ACCESS EXCLUSIVE MODE');
  const reads = await sendAll(shipments.map(({ id }) => `/v1/shipments/${id}`));
  expect(service.app.get(Database).poolState).toEqual({ total: 1, idle: 0, waiting: 0 });
  await blocker.query('ROLLBACK');
  await blocker.end();
  expect((await Promise.all(reads)).map(({ body }) => body)).toEqual(shipments);
});

test('a write gets its turn while reads keep the only connection busy', async () => {
  const shipment = await newShipment();
  let isOver = false;
  const readers = Array.from({ length: 16 }, async () => {
    while (!isOver) expect((await service.api.get(`/v1/shipments/${shipment.id}`)).status).toBe(200);
  });
  const statuses: number[] = [];
  let { eTag } = shipment;
  for (let estimatedWeight = 1; estimatedWeight <= 6; estimatedWeight += 1) {
    const { status, body } = await service.api.patch(`/v1/shipments/${shipment.id}`, eTag, { estimatedWeight });
    statuses.push(status);
    eTag = body.eTag;
  }
  isOver = true;
  await Promise.all(readers);
  expect(statuses).toEqual(Array(6).fill(200));
});

test('503 for the reads of a connection that is lost, and the next one is served', async () => {
  const { id } = await newShipment();
  const blocker = await service.connect();
  await blocker.query('BEGIN');
  await blocker.query('LOCK TABLE shipments IN ACCESS EXCLUSIVE MODE');
  const reads = await sendAll(Array.from({ length: 5 }, () => `/v1/shipments/${id}`));
  const { rowCount } = await service.sql.query(`
    SELECT pg_terminate_backend(pid, 20000) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'waybill' AND wait_event_type = 'Lock'`);
  expect(rowCount).toBe(1);
  const answers = await Promise.all(reads);
  await blocker.query('ROLLBACK');
  await blocker.end();
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(503));
  expect((await service.api.get(`/v1/shipments/${id}`)).status).toBe(200);
});
