import * as fc from 'fast-check';
import { distribute, MAX_CALLS, type DueWebhook, type Occupant } from '../../src/deliveries/shares.js';

const QUARTER = 16;
const PER_HOST = 8;

function webhooks(
  count: number,
  creator: string,
  host = (index: number) => `${creator}-${index}.example`,
): DueWebhook[] {
  return Array.from({ length: count }, (_, index) => {
    return { webhookID: `${creator} ${index}`, creator, url: `https://${host(index)}/hook`, calls: 8 };
  });
}

function given(due: readonly DueWebhook[], occupants: readonly Occupant[] = []) {
  const shares = distribute(due, occupants);
  const sum = (of: (webhook: DueWebhook) => boolean) =>
    due.filter(of).reduce((total, { webhookID }) => total + (shares.get(webhookID) ?? 0), 0);
  return { sum, total: sum(() => true) };
}

test('300 webhooks of one creator leave a quarter of the calls free for others', () => {
  expect(given(webhooks(300, 'many')).total).toBe(MAX_CALLS - QUARTER);
});

test('a creator has at most a quarter while another one waits', () => {
  const { sum } = given([...webhooks(300, 'many'), ...webhooks(5, 'few')]);
  expect(sum(({ creator }) => creator === 'many')).toBe(QUARTER);
  expect(sum(({ creator }) => creator === 'few')).toBe(QUARTER);
});

test('another creator gets calls at once beside one who has all that one can have', () => {
  const occupants = webhooks(MAX_CALLS - QUARTER, 'many');
  const { sum } = given([...webhooks(300, 'many'), ...webhooks(1, 'few')], occupants);
  expect(sum(({ creator }) => creator === 'few')).toBe(8);
  expect(sum(({ creator }) => creator === 'many')).toBe(0);
});

test('a third creator gets calls at once beside two who have all that they can have, and so does a fourth', () => {
  const occupants: Occupant[] = [];
  for (const creator of ['one', 'two', 'three', 'four']) {
    const due = [...webhooks(300, 'one'), ...(creator === 'one' ? [] : webhooks(300, creator))];
    const { sum } = given(due, occupants);
    const calls = sum((each) => each.creator === creator);
    expect([creator, calls > 0]).toEqual([creator, true]);
    occupants.push(...webhooks(calls, creator));
  }
});

test('a host gets at most eight calls, however its name is spelled', () => {
  const names = ['Slow.example', 'slow.example.', 'slow.example:8443', 'SLOW.EXAMPLE'];
  const due = webhooks(20, 'one', (index) => names[index % names.length] ?? '');
  expect(given(due).total).toBe(PER_HOST);
  expect(
    given(
      due,
      webhooks(5, 'other', () => 'slow.example'),
    ).total,
  ).toBe(PER_HOST - 5);
});

test('no distribution exceeds a limit, and none that could serve a waiting creator serves nobody', () => {
  const index = fc.integer({ min: 0, max: 5 });
  const occupant = fc.record({ creator: index.map(String), url: index.map((host) => `https://${host}.example/`) });
  const due = fc.array(fc.tuple(occupant, fc.integer({ min: 1, max: 8 })), { maxLength: 40 });
  const property = fc.property(due, fc.array(occupant, { maxLength: MAX_CALLS }), (written, occupants) => {
    const waiting = written.map(([of, calls], number) => ({ ...of, calls, webhookID: String(number) }));
    const { sum, total } = given(waiting, occupants);
    expect(total + occupants.length).toBeLessThanOrEqual(MAX_CALLS);
    for (const { creator, url, webhookID, calls } of waiting) {
      const busy = (of: (each: Occupant) => boolean) => occupants.filter(of).length;
      const ofHost = sum((each) => each.url === url);
      if (ofHost > 0) expect(ofHost + busy((each) => each.url === url)).toBeLessThanOrEqual(PER_HOST);
      const mine = sum((each) => each.creator === creator) + busy((each) => each.creator === creator);
      const isUnserved =
        sum((each) => each.webhookID === webhookID) < calls && busy((each) => each.url === url) + ofHost < PER_HOST;
      const free = MAX_CALLS - occupants.length - total;
      if (isUnserved) expect(mine).toBeGreaterThanOrEqual(Math.min(QUARTER, 3 * free));
    }
  });
  fc.assert(property, { numRuns: 500 });
});
