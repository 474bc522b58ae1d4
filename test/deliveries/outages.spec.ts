import { useService } from '../support/service/service.js';
import type { Json } from '../support/http/api.js';
import { SimulatedDays } from '../support/records/simulated-days.js';
import { shareOf } from '../support/repository/sweeps.js';
import { LOOPBACK, WebhookWorld } from '../support/records/webhooks.js';

const service = useService(LOOPBACK);
const world = new WebhookWorld(service);

const DAY = 24;
const BEGINS = 30;
const DISABLED_AFTER = 5 * DAY;

/** Hours between two events. The receiver of the quiet webhook accepts less than one between two attempts of a refused one. */
const RATES = { busy: 13, quiet: 31 };

/** Of the outage, in hours: from one attempt to far beyond the day on which the webhook is disabled. */
const OUTAGES = [1, 20, 80, 92, 150, 240];

const CASES = Object.entries(RATES).flatMap(([name, every]) => OUTAGES.map((hours) => ({ name, every, hours })));

function every(hours: number, from: number, until: number): number[] {
  return Array.from({ length: Math.ceil((until - from) / hours) }, (_, index) => from + index * hours);
}

/** Runs the days of one outage, in which the receiver refuses one event even while it is up. */
async function live(rate: number, outage: number) {
  const ends = BEGINS + outage;
  const until = ends + 8 * DAY;
  const days = new SimulatedDays(service);
  const webhook = await world.create({ types: ['move.created'] });
  const moves: string[] = [];
  const accepted = new Map<string, number>();
  let poison = '';
  world.receiver.respond = ({ event }, response) => {
    const id = event.data.resourceID as string;
    const isDown = days.now >= BEGINS && days.now < ends;
    if (!isDown && id !== poison) accepted.set(id, days.now);
    response.writeHead(isDown || id === poison ? 500 : 204).end();
  };
  const created = (move: Json) => {
    if (moves.length === 0) poison = move.id;
    moves.push(move.id);
  };
  const hours = every(rate, 0, until - 30);
  await days.run(hours, ends + 1, created);
  const { state, disabledReason, eTag } = await world.state(webhook);
  if (state === 'disabled') await service.api.patch(`/v1/webhooks/${webhook.id}`, eTag, { enabled: true });
  await days.run(hours, until, created);
  const failed = await world.deliveries(webhook, '?state=failed');
  return { wasDisabled: disabledReason, good: moves.filter((id) => id !== poison), poison, accepted, failed };
}

test.each(shareOf(CASES, 1, 4))(
  'an outage of $hours hours loses nothing of a $name webhook, beside an event that is always refused',
  async ({ every: rate, hours }) => {
    const { wasDisabled, good, poison, accepted, failed } = await live(rate, hours);
    expect(good.filter((id) => !accepted.has(id))).toEqual([]);
    expect(failed.filter(({ resourceID }) => resourceID !== poison)).toEqual([]);
    if (hours > DISABLED_AFTER + 2 * DAY) expect(wasDisabled).toBe('FAILING');
    if (hours + rate < DISABLED_AFTER) expect(wasDisabled).toBeNull();
    for (const { attempts } of failed) expect(attempts.length).toBeGreaterThanOrEqual(10);
  },
  180_000,
);
