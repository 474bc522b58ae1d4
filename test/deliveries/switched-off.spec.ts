import { Receiver } from '../support/http/receiver.js';
import { eventually } from '../support/races/eventually.js';
import { createMove } from '../support/records/records.js';
import { allNumbered } from '../support/records/events.js';
import { LOOPBACK } from '../support/records/webhooks.js';
import { startService, useService, type TestService } from '../support/service/service.js';

const service = useService({ ...LOOPBACK, WEBHOOKS: 'off' });
let receiver: Receiver;
let other: TestService | undefined;

beforeEach(async () => {
  receiver = await Receiver.start();
});
afterEach(async () => {
  await other?.stop();
  await receiver.stop();
});

test('a replica with WEBHOOKS=off sends nothing, also on request, and another one does', async () => {
  const { api, sql } = service;
  const { body: webhook } = await api.post('/v1/webhooks', { url: receiver.url });
  expect((await api.send('POST', `/v1/webhooks/${webhook.id}/ping`)).status).toBe(202);
  await createMove(api);
  await allNumbered(sql);
  expect((await api.post(`/v1/webhooks/${webhook.id}/replay`, { after: null, until: null })).status).toBe(202);
  const pending = async () => (await api.get(`/v1/webhooks/${webhook.id}/deliveries`)).body;
  expect(await pending()).toMatchObject([{ type: 'webhook.ping', state: 'pending', attempts: [] }]);
  expect(receiver.received).toEqual([]);

  other = await startService(LOOPBACK, () => service.databaseUrl);
  await eventually(() => Promise.resolve(receiver.received.length === 2), 15_000, 'the other replica sends both');
  expect(receiver.types.sort()).toEqual(['move.created', 'webhook.ping']);
});
