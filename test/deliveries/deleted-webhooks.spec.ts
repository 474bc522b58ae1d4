import type { ServerResponse } from 'node:http';
import { createMove } from '../support/records/records.js';
import { LOOPBACK, WebhookWorld } from '../support/records/webhooks.js';
import { useService } from '../support/service/service.js';

const service = useService(LOOPBACK);
const world = new WebhookWorld(service);

/** As many calls as the receivers of one host get at a time. */
const CALLS_PER_HOST = 8;

test('calls that end after their webhook was deleted leave their shares to others', async () => {
  const { receiver } = world;
  const webhook = await world.create();
  await createMove(service.api);
  await world.until(async () => (await world.deliveries(webhook, '?state=delivered')).length === 1, 'one is delivered');

  const held: ServerResponse[] = [];
  receiver.respond = (_, response) => held.push(response);
  for (let count = 0; count < CALLS_PER_HOST; count += 1) await createMove(service.api);
  await world.until(() => held.length === CALLS_PER_HOST, 'all calls wait for their answers');
  expect((await service.api.delete(`/v1/webhooks/${webhook.id}`, { 'If-Match': '*' })).status).toBe(204);
  receiver.recover();
  for (const response of held) response.writeHead(204).end();

  const other = await world.create();
  await createMove(service.api);
  await world.until(
    async () => (await world.deliveries(other, '?state=delivered')).length === 1,
    'the webhook at the same host is called',
  );
});
