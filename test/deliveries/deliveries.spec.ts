import type { Json } from '../support/http/api.js';
import { createAgent, createMove, createShipment } from '../support/records/records.js';
import { LOOPBACK, WebhookWorld } from '../support/records/webhooks.js';
import { useService } from '../support/service/service.js';

const service = useService(LOOPBACK);
const world = new WebhookWorld(service);

test('a full payload is the event of the feed', async () => {
  await world.create({ payload: 'full', types: ['move.created'] });
  const move = await createMove(service.api);
  await world.received(1);
  const { body } = await service.api.get<Json[]>(`/v1/events?resourceID=${move.id}&type=move.created`);
  expect(body).toEqual([world.receiver.received[0]?.event]);
});

test('filters by type, record and move decide what is sent', async () => {
  const { api } = service;
  const move = await createMove(api);
  const shipment = await createShipment(api, { moveID: move.id });
  const other = await createShipment(api);
  await world.create({ types: ['shipment.updated'], moveID: move.moveCode });
  await world.create({ types: ['shipment.updated', 'agent.created'], resourceID: other.shipmentCode });
  await api.patch(`/v1/moves/${move.id}`, move.eTag, { remarks: 'x' });
  await api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, { estimatedWeight: 1 });
  await api.patch(`/v1/shipments/${other.id}`, other.eTag, { estimatedWeight: 2 });
  await createAgent(api, {}, shipment);
  await createAgent(api, {}, other);
  await createMove(api);
  await world.create({ types: ['move.created'] });
  await createMove(api);
  const isLast = () => world.receiver.types.includes('move.created') && world.receiver.types.length >= 4;
  await world.until(isLast, 'the last event, and those of the other webhooks');
  const sent = world.receiver.received.map(({ event }) => [event.type, event.data.shipmentID]);
  expect(sent).toHaveLength(4);
  expect(sent).toEqual(
    expect.arrayContaining([
      ['shipment.updated', shipment.id],
      ['shipment.updated', other.id],
      ['agent.created', other.id],
    ]),
  );
});

test('a webhook without types gets no events of webhooks, one that names them does', async () => {
  const silent = await world.create();
  const watching = await world.create({ types: ['webhook.created', 'webhook.updated', 'webhook.disabled'] });
  await service.api.patch(`/v1/webhooks/${silent.id}`, silent.eTag, { description: 'changed' });
  await world.until(() => world.receiver.types.includes('webhook.updated'), 'the change');
  await createMove(service.api);
  await world.until(() => world.receiver.types.includes('move.created'), 'the move');
  const deliveries = await world.deliveries(silent);
  expect(deliveries.map(({ type }) => type)).toEqual(['move.created']);
  expect((await world.deliveries(watching)).every(({ type }) => type.startsWith('webhook.'))).toBe(true);
});

test('the deliveries of one record wait for each other, those of other records do not', async () => {
  const { api } = service;
  await world.create({ types: ['move.created', 'move.updated'] });
  const { receiver } = world;
  const stuck = await createMoveThatFails();
  await api.patch(`/v1/moves/${stuck.id}`, stuck.eTag, { remarks: 'second' });
  const other = await createMove(api);
  await world.until(() => receiver.received.some(({ event }) => event.data.resourceID === other.id), 'the other');
  const ofStuck = () => receiver.received.filter(({ event }) => event.data.resourceID === stuck.id);
  expect(ofStuck().map(({ event }) => event.type)).toEqual(['move.created']);
  receiver.recover();
  await world.retryNow();
  await world.until(() => ofStuck().length === 3, 'the rest');
  expect(ofStuck().map(({ event }) => event.type)).toEqual(['move.created', 'move.created', 'move.updated']);
  expect(new Set(ofStuck().map(({ id }) => id)).size).toBe(2);

  async function createMoveThatFails(): Promise<Json> {
    receiver.answer(500);
    const move = await createMove(api);
    await world.received(1);
    receiver.respond = ({ event }, response) => {
      response.writeHead(event.data.resourceID === move.id ? 500 : 204).end();
    };
    return move;
  }
});

test('an event that the archive has taken is given up, and the next one follows', async () => {
  const { api, sql } = service;
  const webhook = await world.create({ types: ['move.created', 'move.updated'] });
  world.receiver.answer(500);
  const move = await createMove(api);
  await api.patch(`/v1/moves/${move.id}`, move.eTag, { remarks: 'later' });
  await world.received(1);
  await sql.query('ALTER TABLE history DISABLE TRIGGER USER');
  await sql.query(`DELETE FROM history WHERE record_id = $1 AND type = 'created'`, [move.id]);
  await sql.query('ALTER TABLE history ENABLE TRIGGER USER');
  world.receiver.recover();
  await world.retryNow();
  await world.until(() => world.receiver.types.includes('move.updated'), 'the next');
  const [, first] = await world.deliveries(webhook);
  expect(first).toMatchObject({ state: 'failed', attempts: [{ error: 'The event was archived' }, { status: 500 }] });
});
