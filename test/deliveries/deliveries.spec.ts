import { allNumbered } from '../support/records/events.js';
import { eventually } from '../support/races/eventually.js';
import { ADDRESS, createAgent, createMove, createService, createShipment } from '../support/records/records.js';
import type { Json } from '../support/http/api.js';
import { Receiver, verifyByReference } from '../support/http/receiver.js';
import { useService } from '../support/service/service.js';

const service = useService({ LOG_LEVEL: 'warn', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
let receiver: Receiver;

beforeEach(async () => {
  receiver = await Receiver.start();
});
afterEach(async () => {
  await service.sql.query('DELETE FROM webhooks');
  await receiver.stop();
});

async function createWebhook(fields: object = {}): Promise<Json> {
  await allNumbered(service.sql);
  const { status, body } = await service.api.post('/v1/webhooks', { url: receiver.url, ...fields });
  expect([status, body]).toEqual([201, body]);
  return body;
}

function received(count: number): Promise<void> {
  return eventually(() => Promise.resolve(receiver.received.length >= count), 15_000, `${count} deliveries`);
}

test.each(['thin', 'full'])('every kind of event is delivered once and signed, with a %s payload', async (payload) => {
  const { api } = service;
  const { secret, id } = await createWebhook({ payload });
  const shipment = await createShipment(api, { destinationAddress: ADDRESS });
  const agent = await createAgent(api, {}, shipment);
  await createService(api, {}, shipment);
  await api.patch(`/v1/agents/${agent.id}`, agent.eTag, { firstName: 'Grace' });
  await api.patch(`/prime/v1/shipments/${shipment.id}/updateStatus`, shipment.eTag, { status: 'APPROVED' });
  await api.delete(`/v1/shipments/${shipment.id}`);
  await received(9);
  for (const each of receiver.received) verifyByReference(secret, each);
  expect(receiver.types.sort()).toEqual([
    ...['agent.created', 'agent.deleted', 'agent.updated', 'move.created', 'service.created', 'service.deleted'],
    ...['shipment.created', 'shipment.deleted', 'shipment.statusChanged'],
  ]);
  expect(new Set(receiver.received.map((each) => each.id)).size).toBe(9);
  const { event } = receiver.received.find((each) => each.event.type === 'agent.updated') ?? { event: undefined };
  const change = { field: 'firstName', from: 'Ada', to: 'Grace' };
  expect(event.data.changes).toEqual(payload === 'full' ? [change] : [{ field: 'firstName' }]);
  await eventually(
    async () => (await api.get(`/v1/webhooks/${id}`)).body.lastDeliveryAt !== null,
    5000,
    'the delivery shows',
  );
});

test('the deliveries of one record wait for each other, those of other records do not', async () => {
  const { api } = service;
  await createWebhook({ types: ['move.created', 'move.updated'] });
  receiver.respond = ({ event }, response) => {
    response.writeHead(event.data.resourceID === stuck.id && event.type === 'move.created' ? 500 : 204).end();
  };
  let stuck: Json = {};
  stuck = await createMove(api);
  await api.patch(`/v1/moves/${stuck.id}`, stuck.eTag, { remarks: 'second' });
  const other = await createMove(api);
  await received(2);
  await eventually(
    () => Promise.resolve(receiver.received.some(({ event }) => event.data.resourceID === other.id)),
    5000,
    'the other',
  );
  const ofStuck = () => receiver.received.filter(({ event }) => event.data.resourceID === stuck.id);
  expect(ofStuck().map(({ event }) => event.type)).toEqual(['move.created']);
  receiver.recover();
  await service.sql.query('UPDATE webhook_deliveries SET next_attempt_at = now()');
  await eventually(() => Promise.resolve(ofStuck().length === 3), 5000, 'the rest');
  expect(ofStuck().map(({ event }) => event.type)).toEqual(['move.created', 'move.created', 'move.updated']);
  expect(new Set(ofStuck().map(({ id }) => id)).size).toBe(2);
});
