import { ITEMS_PER_TRANSACTION } from '../../src/bulk/bulk-progress.js';
import type { Json } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { erased, tablesWith } from '../support/records/erasing.js';
import { eventually } from '../support/races/eventually.js';
import { createMove } from '../support/records/records.js';
import { useProxiedService } from '../support/service/proxied-service.js';
import { timeoutsWithin } from '../support/service/timeouts.js';

const { proxy, service } = useProxiedService(timeoutsWithin(20_000));

const SECRET = 'Q5-Florence';
const ITEMS = 2 * ITEMS_PER_TRANSACTION;
const KEY = { 'Idempotency-Key': 'of-a-bulk' };

const BULK = {
  atomic: false,
  items: Array.from({ length: ITEMS }, (_, index) => ({
    op: 'create',
    values: { shipmentType: 'HHG', customerRemarks: index === 0 ? SECRET : 'other' },
  })),
};

test('a bulk that was interrupted is completed after one of its shipments was erased', async () => {
  let commits = 0;
  proxy.plan = (text) => (text.startsWith('COMMIT') && ++commits === 2 ? { lose: 'before' } : undefined);
  const first = await service.api.post('/v1/shipments/bulk', BULK, KEY);
  proxy.plan = () => undefined;
  const { id } = first.body.items[0].shipment;
  await service.api.delete(`/v1/shipments/${id}`);

  expect(await erased(service, { recordID: id }, { dryRun: true })).toMatchObject({ keptAnswers: 1 });
  expect(await erased(service, { recordID: id })).toMatchObject({ entries: 2, keptAnswers: 1 });
  expect(await tablesWith(service.sql, SECRET)).toEqual([]);

  const { status, body } = await service.api.post('/v1/shipments/bulk', BULK, KEY);
  expect([status, body.items[0]]).toEqual([207, { status: 201 }]);
  const ids = new Set(body.items.map(({ shipment }: Json) => shipment?.id));
  expect([body.items.every((item: Json) => item.status === 201), ids.size]).toEqual([true, ITEMS]);
  expect(body.items.slice(1, 9)).toEqual(first.body.items.slice(1, 9));
  expect((await service.sql.query('SELECT FROM shipments')).rowCount).toBe(ITEMS - 1);
});

test('the stored responses of the shipments of an erased move are repeated, and those of the move are gone', async () => {
  const keyed = (key: string) => ({ 'Idempotency-Key': key });
  const postMove = () => service.api.post('/v1/moves', { remarks: SECRET }, keyed('of-a-move'));
  const move = (await postMove()).body;
  const post = () =>
    service.api.post('/v1/shipments', { shipmentType: 'HHG', moveID: move.id }, keyed('of-a-shipment'));
  const shipment = (await post()).body;
  const subscribe = () =>
    service.api.post(
      '/v1/webhooks',
      { url: 'https://example.com', moveID: move.id, types: ['move.updated'] },
      keyed('w'),
    );
  const webhook = await subscribe();
  await service.api.delete(`/v1/shipments/${shipment.id}`);
  await service.api.delete(`/v1/moves/${move.id}`);

  expect(await erased(service, { recordID: move.id })).toMatchObject({ keptAnswers: 1 });

  expect(await tablesWith(service.sql, SECRET)).toEqual([]);
  expect(await post()).toMatchObject({ status: 201, body: shipment });
  expect(await subscribe()).toMatchObject({ status: webhook.status });
  expectProblem(await postMove(), 410, 'ERASED');
  const other = await createMove(service.api);
  expect(await erased(service, { recordID: other.id })).toMatchObject({ entries: 0, keptAnswers: 0 });
});

test('a response that a request is about to store is waited for', async () => {
  const [request, observer] = [await service.connect(), await service.connect()];
  const { body: move } = await service.api.post('/v1/moves', { remarks: SECRET }, { 'Idempotency-Key': 'first' });
  await request.query('BEGIN');
  await request.query(`UPDATE idempotency_keys SET body = body WHERE key = 'first'`);
  await service.api.delete(`/v1/moves/${move.id}`);
  const erasing = erased(service, { recordID: move.id });
  const waits = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%idempotency_keys%'`;
  await eventually(async () => (await observer.query(waits)).rowCount === 1, 30_000, 'the erasure waits');
  await request.query('COMMIT');
  expect(await erasing).toMatchObject({ keptAnswers: 1 });
  expect(await tablesWith(service.sql, SECRET)).toEqual([]);
  await Promise.all([request.end(), observer.end()]);
});
