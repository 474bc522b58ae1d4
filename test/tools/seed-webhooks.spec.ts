import type { Json } from '../support/http/api.js';
import { allNumbered } from '../support/records/events.js';
import { createMove } from '../support/records/records.js';
import { seedHere } from '../support/records/seed.js';
import { LOOPBACK, WebhookWorld } from '../support/records/webhooks.js';
import { useService } from '../support/service/service.js';

const MOVES = 20;

const service = useService(LOOPBACK);
const world = new WebhookWorld(service);

const typesOf = async (webhook: Json) => (await world.deliveries(webhook, '?limit=200')).map(({ type }) => type);

test('seeding sends nothing invented, and loses no real event from before or after it', async () => {
  const { api, sql } = service;
  const types = ['move.created'];
  const webhook = await world.create({ types });
  const { body: off } = await api.post('/v1/webhooks', { url: world.receiver.url, types, enabled: false });
  await createMove(api, { remarks: 'before' });
  await seedHere(service.databaseUrl, { moves: MOVES, number: 1 });
  await createMove(api, { remarks: 'after' });
  await allNumbered(sql);
  await world.received(2);
  await api.patch(`/v1/webhooks/${off.id}`, off.eTag, { enabled: true });
  await world.received(4);
  for (const each of [webhook, off]) expect(await typesOf(each)).toEqual(['move.created', 'move.created']);
});

test('--deliver sends what it makes', async () => {
  const webhook = await world.create({ types: ['move.created'] });
  await seedHere(service.databaseUrl, { moves: MOVES, number: 2, deliver: true });
  await world.received(MOVES);
  expect(await typesOf(webhook)).toHaveLength(MOVES);
});
