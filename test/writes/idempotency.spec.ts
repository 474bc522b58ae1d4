import { Housekeeping } from '../../src/operations/housekeeping.js';
import { untilBlocked } from '../support/database/activity.js';
import type { Json } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService({ POOL_SIZE: '3' });

let keys = 0;
function freshKey(): { 'Idempotency-Key': string } {
  keys += 1;
  return { 'Idempotency-Key': `"key-${keys}"` };
}

async function shipments(): Promise<number> {
  return (await service.sql.query('SELECT FROM shipments')).rowCount ?? -1;
}

test('the same key on another path or method is another request', async () => {
  const key = freshKey();
  const [one, two] = [await createShipment(service.api), await createShipment(service.api)];
  const answers = [
    await service.api.patch(`/v1/shipments/${one.id}`, one.eTag, {}, key),
    await service.api.patch(`/v1/shipments/${two.id}`, two.eTag, {}, key),
    await service.api.delete(`/v1/shipments/${two.id}`, key),
  ];
  expect(answers.map(({ status, headers }) => [status, headers.get('Idempotency-Replayed')])).toEqual([
    [200, null],
    [200, null],
    [204, null],
  ]);
});

test('409 with Retry-After while the first request still runs, then its answer', async () => {
  const key = freshKey();
  const shipment = await createShipment(service.api);
  const path = `/v1/shipments/${shipment.id}`;
  await service.sql.query('BEGIN');
  await service.sql.query('SELECT FROM shipments WHERE id = $1 FOR UPDATE', [shipment.id]);
  const first = service.api.patch(path, shipment.eTag, { estimatedWeight: 5 }, key);
  await untilBlocked(service.sql);
  const second = await service.api.patch(path, shipment.eTag, { estimatedWeight: 5 }, key);
  await service.sql.query('COMMIT');
  expectProblem(second, 409, 'IDEMPOTENCY_IN_PROGRESS');
  expect(second.headers.get('Retry-After')).toBe('1');
  const answer = await first;
  expect(answer.status).toBe(200);
  expect((await service.api.patch(path, shipment.eTag, { estimatedWeight: 5 }, key)).body).toEqual(answer.body);
});

test('of many requests with one key at once exactly one has an effect', async () => {
  const key = freshKey();
  const before = await shipments();
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => service.api.post('/v1/shipments', { shipmentType: 'HHG' }, key)),
  );
  expect(await shipments()).toBe(before + 1);
  expect(new Set(answers.map(({ status }) => status))).not.toContain(500);
  const ids = answers.filter(({ status }) => status === 201).map(({ body }) => body.id as string);
  expect(ids.length).toBeGreaterThan(0);
  expect(new Set(ids).size).toBe(1);
});

test('a refused request leaves its key free for the corrected one', async () => {
  const key = freshKey();
  const shipment = await createShipment(service.api);
  const path = `/v1/shipments/${shipment.id}`;
  expect((await service.api.patch(path, '0'.repeat(64), {}, key)).status).toBe(412);
  expect((await service.api.patch(path, shipment.eTag, { nonsense: 1 }, key)).status).toBe(422);
  expect((await service.api.patch(path, shipment.eTag, {}, key)).status).toBe(200);
});

test('quoted and bare keys are the same key', async () => {
  const post = (key: string): Promise<Json> => service.api.post('/v1/moves', {}, { 'Idempotency-Key': key });
  const first = await post('"same"');
  expect((await post('same')).body).toEqual(first.body);
});

test('a key is free again after 24 hours, and expired ones go away by themselves', async () => {
  const key = freshKey();
  const first = await service.api.post('/v1/moves', {}, key);
  await service.sql.query(`UPDATE idempotency_keys SET created_at = created_at - interval '24 hours 1 second'`);
  const second = await service.api.post('/v1/moves', {}, key);
  expect(second.headers.get('Idempotency-Replayed')).toBeNull();
  expect(second.body.id).not.toBe(first.body.id);

  await service.app.get(Housekeeping).tidy();
  const { rows } = await service.sql.query('SELECT key FROM idempotency_keys');
  expect(rows).toEqual([{ key: key['Idempotency-Key'].replaceAll('"', '') }]);
});
