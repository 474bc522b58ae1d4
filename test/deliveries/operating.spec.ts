import type { Json } from '../support/http/api.js';
import { useSecuredService } from '../support/http/tokens.js';
import { createMove } from '../support/records/records.js';
import { LOOPBACK, WebhookWorld } from '../support/records/webhooks.js';
import { useService } from '../support/service/service.js';

const service = useService(LOOPBACK);
const world = new WebhookWorld(service);

async function delivered(webhook: Json, count: number): Promise<Json> {
  await world.until(async () => (await world.deliveries(webhook, '?state=delivered')).length === count, 'delivered');
  return (await world.deliveries(webhook))[0];
}

test.each(['thin', 'full'])(
  'a delivery shows its request without the signature, with a %s payload',
  async (payload) => {
    const webhook = await world.create({ types: ['move.created'], payload });
    await createMove(service.api);
    const { request: unlisted, ...delivery } = await delivered(webhook, 1);
    expect(unlisted).toBeUndefined();
    const { body } = await service.api.get(`/v1/webhooks/${webhook.id}/deliveries/${delivery.id}`);
    const [received] = world.receiver.received;
    expect(body).toEqual({
      ...delivery,
      request: {
        url: world.receiver.url,
        headers: {
          'Content-Type': received?.headers['content-type'],
          'User-Agent': received?.headers['user-agent'],
          'webhook-id': delivery.id,
        },
        body: received?.body,
      },
    });
  },
);

test('the failure rate and the metrics follow the attempts', async () => {
  const webhook = await world.create({ types: ['move.created'] });
  expect(webhook.failureRate).toBeNull();
  const rate = async () => (await world.state(webhook)).failureRate as number;
  world.receiver.answer(500);
  await createMove(service.api);
  await world.until(async () => (await rate()) === 1, 'the first attempt has failed');
  expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(/^waybill_webhooks_failing 1$/m);
  world.receiver.recover();
  await world.retryNow();
  await delivered(webhook, 1);
  expect(await rate()).toBe(0.98);
  for (let count = 2; count <= 4; count += 1) {
    await createMove(service.api);
    await delivered(webhook, count);
  }
  expect(await rate()).toBe(Math.round(100 * 0.98 ** 4) / 100);
});

describe('without the scope to read the record', () => {
  const guarded = useSecuredService(LOOPBACK);
  const as = (scope: string) => guarded.as({ scope });

  test('a request has no body', async () => {
    const creator = await as('moves:read moves:write webhooks:read webhooks:write');
    const { body: webhook } = await creator.post('/v1/webhooks', { url: world.receiver.url, types: ['move.created'] });
    await createMove(creator, { remarks: 'private' });
    await world.received(1);
    const path = `/v1/webhooks/${webhook.id}/deliveries`;
    const [{ id }] = (await creator.get<Json[]>(path)).body as [Json];
    expect((await creator.get(`${path}/${id}`)).body.request.body).toBe(world.receiver.received[0]?.body);
    const { status, body } = await (await as('webhooks:read shipments:read')).get(`${path}/${id}`);
    expect([status, body.request.body]).toEqual([200, null]);
  });
});
