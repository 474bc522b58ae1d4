import { ifMatchAmongTwo } from '../support/http/api.js';
import { eventually } from '../support/races/eventually.js';
import { createMove, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService({ POOL_SIZE: '3' });

/** The value of a sample, by the exact text that stands before it. */
async function sample(name: string): Promise<number | undefined> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

/** A request is counted when its answer has gone out, which its client may see a moment earlier. */
async function untilSample(name: string, value: number): Promise<void> {
  await eventually(async () => (await sample(name)) === value, 20_000, `${name} ${value}`);
}

const COUNT = 'waybill_http_request_duration_seconds_count';

test('text for Prometheus', async () => {
  const { status, headers } = await service.api.get('/metrics');
  expect(status).toBe(200);
  expect(headers.get('Content-Type')).toBe('text/plain; version=0.0.4; charset=utf-8');
});

test('requests by method, route and status; the route is the pattern, never what a client wrote', async () => {
  const { id } = await createMove(service.api);
  for (let turn = 0; turn < 3; turn += 1) await service.api.get(`/v1/moves/${id}`);
  await service.api.get('/v1/moves/nobody');
  await service.api.get('/who/knows');
  await untilSample(`${COUNT}{method="GET",route="/v1/moves/:moveID",status="200"}`, 3);
  await untilSample(`${COUNT}{method="GET",route="/v1/moves/:moveID",status="404"}`, 1);
  await untilSample(`${COUNT}{method="GET",route="unmatched",status="404"}`, 1);
  const bucket = 'waybill_http_request_duration_seconds_bucket';
  await untilSample(`${bucket}{le="+Inf",method="GET",route="/v1/moves/:moveID",status="200"}`, 3);
});

test('412 and 428 by resource', async () => {
  const { id, eTag } = await createShipment(service.api);
  const path = `/v1/shipments/${id}`;
  await service.api.patch(path, '0'.repeat(64), {});
  await service.api.patch(path, '0'.repeat(64), {});
  await service.api.patch(path, undefined, {});
  await service.api.patch(`/prime${path}/updateStatus`, undefined, {});
  expect((await service.api.patch(path, eTag, {})).status).toBe(200);
  await untilSample('waybill_preconditions_total{resource="shipments",status="412"}', 2);
  await untilSample('waybill_preconditions_total{resource="shipments",status="428"}', 1);
  await untilSample('waybill_preconditions_total{resource="updateStatus",status="428"}', 1);
});

test('connections of the pool in use, idle and waited for', async () => {
  const { id, eTag } = await createShipment(service.api);
  await service.sql.query('BEGIN');
  await service.sql.query('SELECT FROM shipments WHERE id = $1 FOR UPDATE', [id]);
  const ifMatch = ifMatchAmongTwo(eTag);
  const patches = Array.from({ length: 5 }, () => service.api.patch(`/v1/shipments/${id}`, undefined, {}, ifMatch));
  await untilSample('waybill_pool_waiting', 2);
  const during = [
    await sample('waybill_pool_in_use'),
    await sample('waybill_pool_idle'),
    await sample('waybill_pool_waiting'),
  ];
  await service.sql.query('ROLLBACK');
  const statuses = (await Promise.all(patches)).map(({ status }) => status).sort();
  expect(during).toEqual([3, 0, 2]);
  expect(statuses).toEqual([200, 412, 412, 412, 412]);
  await untilSample('waybill_pool_in_use', 0);
});

test.each(['nodejs_eventloop_lag_p99_seconds', 'process_cpu_seconds_total', 'process_resident_memory_bytes'])(
  '%s of the process',
  async (name) => {
    expect(await sample(name)).toBeGreaterThanOrEqual(0);
  },
);
