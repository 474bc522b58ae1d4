import { PostgresProxy } from '../support/database/postgres-proxy.js';
import type { Json } from '../support/http/api.js';
import { eventually } from '../support/races/eventually.js';
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

test('a seed that dies after its COMMIT sends nothing either, nor does a replay; what was written meanwhile is sent', async () => {
  const { api, sql } = service;
  const webhook = await world.create({ types: ['move.created', 'move.updated'] });
  const move = await createMove(api);
  const [proxy, writer] = [new PostgresProxy(), await service.connect()];
  await proxy.start(service.databaseUrl);
  proxy.plan = (text) => (text === 'COMMIT' ? { lose: 'answer' } : undefined);
  await writer.query('BEGIN');
  await writer.query(`UPDATE moves SET remarks = 'meanwhile' WHERE id = $1`, [move.id]);
  const seeding = expect(seedHere(proxy.urlOf(service.databaseUrl), { moves: MOVES, number: 3 })).rejects.toThrow();
  const waits = `SELECT FROM pg_stat_activity WHERE application_name = 'waybill-seed' AND wait_event_type = 'Lock'`;
  await eventually(async () => (await sql.query(waits)).rowCount === 1, 30_000, 'the seed waits');
  await writer.query('COMMIT');
  await seeding;
  await Promise.all([proxy.stop(), writer.end()]);
  await createMove(api);
  await world.received(3);
  expect(await typesOf(webhook)).toEqual(['move.created', 'move.updated', 'move.created']);
  // Those of the test before, and these.
  expect((await api.post(`/v1/webhooks/${webhook.id}/replay`, {})).body).toEqual({ deliveries: 5 });
});

test('--deliver sends what it makes', async () => {
  const webhook = await world.create({ types: ['move.created'] });
  await seedHere(service.databaseUrl, { moves: MOVES, number: 2, deliver: true });
  await world.received(MOVES);
  expect(await typesOf(webhook)).toHaveLength(MOVES);
});

test('events of other kinds between those of a seed are sent', async () => {
  const { api, sql } = service;
  const { body: other } = await api.post('/v1/webhooks', { url: 'https://partner.example/', enabled: false });
  const webhook = await world.create({ types: ['move.created', 'webhook.updated'] });
  await sql.query(`INSERT INTO seeded_entries (positions, kinds) VALUES ('(,)', '{move}')`);
  await createMove(api);
  await api.patch(`/v1/webhooks/${other.id}`, other.eTag, { description: 'x' });
  await world.received(1);
  expect(await typesOf(webhook)).toEqual(['webhook.updated']);
});
