import { createMove } from '../support/records/records.js';
import { LOOPBACK, WebhookWorld } from '../support/records/webhooks.js';
import { Receiver, verifyByReference } from '../support/http/receiver.js';
import type { Json } from '../support/http/api.js';
import { allNumbered } from '../support/records/events.js';
import { useService } from '../support/service/service.js';

const service = useService(LOOPBACK);
const world = new WebhookWorld(service);

/** Seconds until the next attempt of the only pending delivery, once it has failed so often. */
async function pauseAfter(webhook: Json, failures: number): Promise<number> {
  const pending = async () => (await world.deliveries(webhook, '?state=pending'))[0];
  await world.until(async () => (await pending())?.attempts.length === failures, 'the failure');
  const { nextAttemptAt, attempts } = await pending();
  return (Date.parse(nextAttemptAt) - Date.parse(attempts[0].attemptedAt)) / 1000;
}

test('failures are retried at growing intervals, then every day, and given up once the receiver accepts other events', async () => {
  const webhook = await world.create({ types: ['move.created'] });
  const refused = await createMove(service.api);
  world.receiver.respond = ({ event }, response) => {
    response.writeHead(event.data.resourceID === refused.id ? 500 : 204).end('out of order');
  };
  const expected = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, 86_400, 86_400];
  for (const [index, seconds] of expected.entries()) {
    const pause = await pauseAfter(webhook, index + 1);
    expect(pause).toBeGreaterThanOrEqual(seconds * 0.99);
    expect(pause).toBeLessThanOrEqual(seconds * 1.2 + 30);
    if (index + 1 < expected.length) await world.retryNow();
  }
  expect(await world.state(webhook)).toMatchObject({ state: 'failing', lastDeliveryAt: null, eTag: webhook.eTag });

  await createMove(service.api);
  await world.until(
    async () => (await world.deliveries(webhook, '?state=delivered')).length === 1,
    'another is accepted',
  );
  await world.retryNow();
  await world.until(async () => (await world.deliveries(webhook, '?state=failed')).length === 1, 'it is given up');
  const [delivery] = await world.deliveries(webhook, '?state=failed');
  expect(delivery).toMatchObject({ nextAttemptAt: null, deliveredAt: null, resourceID: refused.id });
  expect(delivery?.attempts).toHaveLength(expected.length + 1);
  expect(delivery?.attempts[0]).toMatchObject({ status: 500, answer: 'out of order', error: null });
  const calls = world.receiver.received.filter(({ event }) => event.data.resourceID === refused.id);
  expect(new Set(calls.map(({ id }) => id))).toEqual(new Set([delivery?.id]));
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toMatch(/^waybill_webhook_attempts_total\{outcome="failed"\} 1$/m);
});

test('a ping that succeeds gives nothing up', async () => {
  const webhook = await world.create({ types: ['move.created'] });
  world.receiver.respond = ({ event }, response) => {
    response.writeHead(event.type === 'webhook.ping' ? 204 : 500).end();
  };
  await createMove(service.api);
  for (let failures = 1; failures <= 10; failures += 1) {
    await pauseAfter(webhook, failures);
    await service.api.send('POST', `/v1/webhooks/${webhook.id}/ping`);
    await world.until(
      async () => (await world.deliveries(webhook, '?state=delivered')).length === failures,
      'the ping',
    );
    await world.retryNow();
  }
  await pauseAfter(webhook, 11);
  expect((await world.deliveries(webhook, '?state=pending')).length).toBe(1);
});

test.each([
  [429, '120', 120],
  [503, '120', 120],
  [503, new Date(Date.now() + 600_000).toUTCString(), 540],
  [429, '999999999', 86_400],
])('Retry-After of a %s is honoured: %s', async (status, header, seconds) => {
  const webhook = await world.create({ types: ['move.created'] });
  world.receiver.answer(status, { 'Retry-After': header });
  await createMove(service.api);
  const pause = await pauseAfter(webhook, 1);
  expect(pause).toBeGreaterThanOrEqual(seconds - 1);
  expect(pause).toBeLessThanOrEqual(seconds + 90);
});

test('a new receiver gets one call at a time until its first success, then eight', async () => {
  const webhook = await world.create({ types: ['move.created'] });
  const held: (() => void)[] = [];
  world.receiver.respond = (_, response) => held.push(() => response.writeHead(204).end());
  await Promise.all(Array.from({ length: 12 }, () => createMove(service.api)));
  await world.until(() => held.length > 0, 'the first call');
  await createMove(service.api);
  await world.until(async () => (await world.deliveries(webhook)).length === 13, 'the deliveries');
  expect(held).toHaveLength(1);
  held.shift()?.();
  await world.until(() => held.length === 8, 'eight calls');
  world.receiver.recover();
  for (const end of held) end();
  await world.until(async () => (await world.deliveries(webhook)).every(({ state }) => state === 'delivered'), 'all');
});

test.each([301, 302, 303, 307, 308])('a redirect (%s) is a failure and is not followed', async (status) => {
  const target = await Receiver.start();
  const webhook = await world.create({ types: ['move.created'] });
  world.receiver.answer(status, { Location: target.url });
  await createMove(service.api);
  await world.until(async () => (await world.deliveries(webhook))[0]?.attempts.length === 1, 'the attempt');
  expect((await world.deliveries(webhook))[0]).toMatchObject({ state: 'pending', attempts: [{ status }] });
  expect(target.received).toEqual([]);
  await target.stop();
});

test('410 disables the webhook with an event, and enabling resumes where it stopped', async () => {
  const { api } = service;
  const webhook = await world.create({ types: ['move.created'] });
  world.receiver.answer(410);
  const first = await createMove(api);
  await world.until(async () => !(await world.state(webhook)).enabled, 'it is disabled');
  const disabled = await world.state(webhook);
  expect(disabled).toMatchObject({ state: 'disabled', disabledReason: 'GONE', disabledAt: expect.any(String) });
  const second = await createMove(api);
  await allNumbered(service.sql);
  const { body: events } = await api.get<Json[]>(`/v1/events?resourceID=${webhook.id}`);
  expect(events.map(({ type }) => type)).toEqual(['webhook.created', 'webhook.disabled']);
  expect(events[1].data).toMatchObject({
    changedBy: 'webhook-delivery',
    changes: expect.arrayContaining([{ field: 'disabledReason', from: null, to: 'GONE' }]),
  });
  world.receiver.recover();
  const { body: enabled } = await api.patch(`/v1/webhooks/${webhook.id}`, disabled.eTag, { enabled: true });
  expect(enabled).toMatchObject({ state: 'active', disabledReason: null, disabledAt: null });
  await world.received(3);
  expect(world.receiver.received.map(({ event }) => event.data.resourceID)).toEqual([first.id, first.id, second.id]);
});

test('five days of nothing but failures disable the webhook', async () => {
  const webhook = await world.create({ types: ['move.created'] });
  world.receiver.answer(500);
  await createMove(service.api);
  await world.until(async () => (await world.state(webhook)).state === 'failing', 'it fails');
  const failingFor = (interval: string) =>
    service.sql.query(`UPDATE webhook_progress SET failing_since = now() - $1::interval`, [interval]);
  await failingFor('4 days 23 hours');
  await world.retryNow();
  await world.received(2);
  await pauseAfter(webhook, 2);
  expect((await world.state(webhook)).state).toBe('failing');
  await failingFor('5 days 1 minute');
  await world.retryNow();
  await world.until(async () => (await world.state(webhook)).state === 'disabled', 'it is disabled');
  expect(await world.state(webhook)).toMatchObject({ enabled: false, disabledReason: 'FAILING' });
  expect((await world.deliveries(webhook))[0]?.state).toBe('pending');
});

test('a caller who disables a webhook stops it, and what happens meanwhile is sent after enabling', async () => {
  const { api } = service;
  const witness = await Receiver.start();
  await world.create({ types: ['move.created'], url: witness.url });
  const webhook = await world.create({ types: ['move.created'] });
  const { body: off } = await api.patch(`/v1/webhooks/${webhook.id}`, webhook.eTag, { enabled: false });
  expect(off).toMatchObject({ state: 'disabled', disabledReason: 'REQUESTED' });
  const moves: string[] = [];
  for (const count of [1, 2]) {
    moves.push((await createMove(api)).id);
    await world.until(() => witness.received.length === count, 'the delivery to another receiver');
  }
  expect(world.receiver.received).toEqual([]);
  await api.patch(`/v1/webhooks/${webhook.id}`, off.eTag, { enabled: true });
  await world.received(2);
  expect(world.receiver.received.map(({ event }) => event.data.resourceID)).toEqual(moves);
  await witness.stop();
});

test('after a rotation both secrets sign, after a second one the first no longer does', async () => {
  const { api } = service;
  const webhook = await world.create({ types: ['move.created'] });
  const rotate = async () => (await api.send('POST', `/v1/webhooks/${webhook.id}/rotateSecret`)).body;
  const { secret: second } = await rotate();
  expect(second).not.toBe(webhook.secret);
  await createMove(api);
  await world.received(1);
  const [both] = world.receiver.received;
  for (const secret of [webhook.secret, second]) verifyByReference(secret, both);
  const { secret: third } = await rotate();
  await createMove(api);
  await world.received(2);
  const last = world.receiver.received[1];
  for (const secret of [second, third]) verifyByReference(secret, last);
  expect(() => verifyByReference(webhook.secret, last)).toThrow();
  await service.sql.query('UPDATE webhook_secrets SET expires_at = now() WHERE expires_at IS NOT NULL');
  await createMove(api);
  await world.received(3);
  expect(() => verifyByReference(second, world.receiver.received[2])).toThrow();
  verifyByReference(third, world.receiver.received[2]);
});
