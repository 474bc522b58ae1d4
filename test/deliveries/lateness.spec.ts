import type { Json } from '../support/http/api.js';
import { allNumbered } from '../support/records/events.js';
import { createMove } from '../support/records/records.js';
import { LOOPBACK, WebhookWorld } from '../support/records/webhooks.js';
import { useService } from '../support/service/service.js';

/** The service sends nothing itself, so that what waits stays. */
const service = useService({ ...LOOPBACK, WEBHOOKS: 'off' });
const world = new WebhookWorld(service);

const HOUR = 3600;

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
}

const hours = async (name: string) => Math.floor((await metric(name)) / HOUR);
const OLDEST = 'waybill_webhook_oldest_pending_seconds';
const OVERDUE = 'waybill_webhook_overdue_seconds';
const oldest = () => hours(OLDEST);
const overdue = () => hours(OVERDUE);

/** A delivery of the webhook, created and due some hours ago. A negative `due` is in the future. */
async function pending({ id }: Json, created: number, due: number, state = 'pending'): Promise<void> {
  await service.sql.query(
    `INSERT INTO webhook_deliveries (webhook_id, type, record_id, is_next, state, created_at, next_attempt_at)
     VALUES ($1, 'move.created', gen_random_uuid(), true, $4, now() - $2 * interval '1 hour', now() - $3 * interval '1 hour')`,
    [id, created + 0.5, due + 0.5, state],
  );
}

const failing = ({ id }: Json, minutes: number) =>
  service.sql.query(
    `UPDATE webhook_progress SET failing_since = now() - $2 * interval '1 minute' WHERE webhook_id = $1`,
    [id, minutes],
  );

/** A webhook that is not behind the feed. */
async function upToDate(): Promise<Json> {
  const webhook = await world.create();
  await allNumbered(service.sql);
  await service.sql.query('UPDATE webhook_progress SET position = (SELECT max(number) FROM events)');
  return webhook;
}

beforeEach(() => service.sql.query('DELETE FROM webhook_deliveries'));

test('the oldest pending delivery counts, not the one whose attempt comes first', async () => {
  const webhook = await upToDate();
  await pending(webhook, 9, 9, 'delivered');
  await pending(webhook, 7, -3);
  await pending(webhook, 2, 1);
  expect([await oldest(), await overdue()]).toEqual([7, 1]);
});

test('an event without deliveries counts as one that waits', async () => {
  await upToDate();
  expect([await metric(OLDEST), await metric(OVERDUE)]).toEqual([0, 0]);
  await createMove(service.api);
  await allNumbered(service.sql);
  expect(await metric(OLDEST)).toBeGreaterThan(0);
  expect(await metric(OVERDUE)).toBeGreaterThan(0);
});

test('what waits is late although the receiver of another webhook fails', async () => {
  const [late, broken] = [await upToDate(), await upToDate()];
  await failing(broken, 60);
  await pending(broken, 5, 4);
  expect([await oldest(), await overdue()]).toEqual([5, 0]);
  await pending(late, 3, 2);
  expect([await oldest(), await overdue()]).toEqual([5, 2]);
});

test('a receiver that began to fail a moment ago hides nothing', async () => {
  const webhook = await upToDate();
  await pending(webhook, 5, 4);
  await failing(webhook, 4);
  expect(await overdue()).toBe(4);
});

test('what waits at a disabled webhook is not late', async () => {
  const webhook = await upToDate();
  await pending(webhook, 5, 4);
  const { body } = await service.api.get(`/v1/webhooks/${webhook.id}`);
  await service.api.patch(`/v1/webhooks/${webhook.id}`, body.eTag, { enabled: false });
  expect([await oldest(), await overdue()]).toEqual([0, 0]);
});
