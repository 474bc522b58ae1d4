import { Housekeeping } from '../../src/operations/housekeeping.js';
import type { Json } from '../support/http/api.js';
import { nextOf } from '../support/http/paging.js';
import { expectProblem } from '../support/http/problem.js';
import { verifyByReference } from '../support/http/receiver.js';
import { createMove, UNKNOWN_ID } from '../support/records/records.js';
import { LOOPBACK, WebhookWorld } from '../support/records/webhooks.js';
import { useService } from '../support/service/service.js';

const service = useService(LOOPBACK);
const world = new WebhookWorld(service);

async function delivered(webhook: Json, count: number): Promise<Json[]> {
  await world.until(
    async () => (await world.deliveries(webhook, '?state=delivered')).length === count,
    `${count} are delivered`,
  );
  return (await world.deliveries(webhook)).reverse();
}

async function changedOften(times: number): Promise<Json> {
  let move = await createMove(service.api);
  for (let count = 1; count < times; count += 1) {
    move = (await service.api.patch(`/v1/moves/${move.id}`, move.eTag, { remarks: `change ${count}` })).body;
  }
  return move;
}

test.each(['thin', 'full'])(
  'a ping is signed, needs no event, and shows its answer, with a %s payload',
  async (payload) => {
    const webhook = await world.create({ payload });
    world.receiver.answer(200, {}, 'x'.repeat(2000));
    const ping = await service.api.send('POST', `/v1/webhooks/${webhook.id}/ping`);
    expect(ping.status).toBe(202);
    expect(ping.body).toMatchObject({ type: 'webhook.ping', state: 'pending', sequence: null, attempts: [] });
    await world.received(1);
    const [received] = world.receiver.received;
    verifyByReference(webhook.secret, received);
    expect(received).toMatchObject({
      id: ping.body.id,
      event: { type: 'webhook.ping', subject: `webhooks/${webhook.id}` },
    });
    await delivered(webhook, 1);
    const { body } = await service.api.get(ping.headers.get('Location') ?? '');
    expect(body).toMatchObject({
      id: ping.body.id,
      attempts: [{ status: 200, error: null, answer: 'x'.repeat(1024) }],
    });
  },
);

test('a ping with an Idempotency-Key is sent once', async () => {
  const webhook = await world.create();
  const key = { 'Idempotency-Key': 'ping-1' };
  const [first, second] = [
    await service.api.send('POST', `/v1/webhooks/${webhook.id}/ping`, undefined, key),
    await service.api.send('POST', `/v1/webhooks/${webhook.id}/ping`, undefined, key),
  ];
  expect(second.body).toEqual(first.body);
  expect(await world.deliveries(webhook)).toHaveLength(1);
});

test('a redelivery has the same webhook-id', async () => {
  const webhook = await world.create({ types: ['move.created'] });
  await createMove(service.api);
  const [delivery] = await delivered(webhook, 1);
  const path = `/v1/webhooks/${webhook.id}/deliveries/${delivery.id}`;
  const again = await service.api.send('POST', `${path}/redeliver`);
  expect([again.status, again.body.state]).toEqual([202, 'pending']);
  await world.received(2);
  await delivered(webhook, 1);
  expect(world.receiver.received.map(({ id }) => id)).toEqual([delivery.id, delivery.id]);
  const { body } = await service.api.get(path);
  expect(body.attempts).toHaveLength(2);
  expect(body.deliveredAt).toBe(delivery.deliveredAt);
});

test('a replay sends a range again, in order, with the same ids', async () => {
  const { api } = service;
  const webhook = await world.create({ payload: 'full', types: ['move.created', 'move.updated'] });
  const { id: moveID } = await changedOften(6);
  const before = await delivered(webhook, 6);
  const events = world.receiver.received.map(({ event }) => event);
  const range = { after: events[1].id, until: events[4].id };
  const replay = await api.post(`/v1/webhooks/${webhook.id}/replay`, range);
  expect([replay.status, replay.body]).toEqual([202, { deliveries: 3 }]);
  await world.received(9);
  await delivered(webhook, 6);
  expect(world.receiver.received.slice(6).map(({ id }) => id)).toEqual(before.slice(2, 5).map(({ id }) => id));
  const all = await api.post(`/v1/webhooks/${webhook.id}/replay`, {});
  await world.received(9 + all.body.deliveries);
  const again = world.receiver.received.slice(9).filter(({ event }) => event.data.resourceID === moveID);
  expect(again.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
});

test('a replay of events whose deliveries were deleted has the same ids', async () => {
  const webhook = await world.create({ types: ['move.created', 'move.updated'] });
  const { id: moveID } = await changedOften(3);
  const before = (await delivered(webhook, 3)).map(({ id }) => id);
  await service.sql.query(`UPDATE webhook_deliveries SET created_at = now() - interval '31 days'`);
  await service.app.get(Housekeeping).tidy();
  expect(await world.deliveries(webhook)).toEqual([]);
  const replay = await service.api.post(`/v1/webhooks/${webhook.id}/replay`, {});
  await world.received(3 + replay.body.deliveries);
  const again = world.receiver.received.slice(3).filter(({ event }) => event.data.resourceID === moveID);
  expect(again.map(({ id }) => id)).toEqual(before);
});

test('a webhook that was created later replays what came before it', async () => {
  const start = await world.create({ types: ['move.created'] });
  const move = await createMove(service.api);
  await world.received(1);
  const later = await world.create({ types: ['move.created'], resourceID: move.id });
  expect((await service.api.post(`/v1/webhooks/${later.id}/replay`, {})).body).toEqual({ deliveries: 1 });
  await world.received(2);
  const [first, second] = world.receiver.received;
  expect(second?.event).toEqual(first?.event);
  expect(second?.id).not.toBe(first?.id);
  verifyByReference(later.secret, second);
  expect((await world.deliveries(start)).length).toBe(1);
});

test('the list has pages and filters', async () => {
  const webhook = await world.create({ types: ['move.created', 'move.updated'] });
  await changedOften(5);
  const all = (await delivered(webhook, 5)).reverse();
  const path = `/v1/webhooks/${webhook.id}/deliveries`;
  const first = await service.api.get<Json[]>(`${path}?limit=3`);
  const second = await service.api.get<Json[]>(nextOf(first.headers) ?? '');
  expect([...first.body, ...second.body]).toEqual(all);
  expect(nextOf(second.headers)).toBeUndefined();
  expect(await world.deliveries(webhook, '?state=pending,failed')).toEqual([]);
});

test('unknown webhooks, deliveries and events are refused', async () => {
  const { api } = service;
  const webhook = await world.create();
  const other = await world.create();
  const ping = await api.send('POST', `/v1/webhooks/${other.id}/ping`);
  const paths = [
    `/v1/webhooks/${UNKNOWN_ID}/ping`,
    `/v1/webhooks/${webhook.id}/deliveries/${UNKNOWN_ID}/redeliver`,
    `/v1/webhooks/${webhook.id}/deliveries/nonsense/redeliver`,
    `/v1/webhooks/${webhook.id}/deliveries/${ping.body.id}/redeliver`,
  ];
  for (const path of paths) expectProblem(await api.send('POST', path), 404, 'NOT_FOUND');
  expectProblem(await api.get(`/v1/webhooks/${webhook.id}/deliveries/${ping.body.id}`), 404, 'NOT_FOUND');
  const foreign = Buffer.from(`1.${'0'.repeat(16)}`).toString('base64url');
  for (const body of [{ after: 'nonsense' }, { until: 5 }, { after: foreign }, { since: null }]) {
    expectProblem(await api.post(`/v1/webhooks/${webhook.id}/replay`, body), 422, 'VALIDATION_FAILED');
  }
});

test('another webhook-id for an event whose number another event had before the database was restored', async () => {
  const { sql } = service;
  const webhook = await world.create({ types: ['move.created'] });
  await createMove(service.api);
  const [{ sequence }] = (await delivered(webhook, 1)) as [Json];
  // As if the event had been restored away, and another one had got its number.
  await sql.query(`
    ALTER TABLE events DISABLE TRIGGER events_append_only;
    UPDATE events SET seal = decode('0123456789abcdef', 'hex') WHERE number = ${Number(sequence)};
    ALTER TABLE events ENABLE TRIGGER events_append_only;
    DELETE FROM webhook_deliveries WHERE webhook_id = '${webhook.id}';
    UPDATE webhook_progress SET position = ${Number(sequence) - 1} WHERE webhook_id = '${webhook.id}'`);
  await world.received(2);
  expect(new Set(world.receiver.received.map(({ id }) => id)).size).toBe(2);
});
