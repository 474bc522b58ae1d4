// Not through PgBouncer: it counts statements and injects faults on the connection between service and PostgreSQL.
import { randomUUID } from 'node:crypto';
import { ITEMS_PER_TRANSACTION } from '../../src/bulk/bulk-progress.js';
import { untilNoTransaction } from '../support/database/activity.js';
import type { Json } from '../support/http/api.js';
import { moveClock } from '../support/database/moved-clock.js';
import type { Fault, Plan } from '../support/database/postgres-proxy.js';
import { useProxiedService } from '../support/service/proxied-service.js';
import { timeoutsWithin } from '../support/service/timeouts.js';

/** A transaction in the middle of a bulk gets no answer to its COMMIT, and PostgreSQL cannot say afterwards how it ended. */

/** Three transactions. */
const ITEMS = 2 * ITEMS_PER_TRANSACTION + 20;

const { proxy, service } = useProxiedService(timeoutsWithin(20_000));

const bodyOf = (mark: string) => ({
  atomic: false,
  items: Array.from({ length: ITEMS }, () => ({
    op: 'create',
    values: { shipmentType: 'HHG', customerRemarks: mark },
  })),
});
const send = (mark: string, headers: Record<string, string>) =>
  service.api.post('/v1/shipments/bulk', bodyOf(mark), headers);

/** Loses the COMMIT with this number, and nobody can say afterwards how it ended. */
function losing(number: number, lose: 'before' | 'answer', otherwise: Plan = () => undefined): Plan {
  let commits = 0;
  return (text): Fault | undefined => {
    if (text.startsWith('COMMIT') && ++commits === number) return { lose };
    if (text.includes('transaction_status')) {
      // The service asks for 5 s.
      moveClock(5000);
      return { refuse: '57014' };
    }
    return otherwise(text);
  };
}

const told = (items: Json[]) => items.map(({ status, problem }) => `${status} ${problem?.code ?? ''}`.trim());
const times = (count: number, text: string) => Array.from({ length: count }, () => text);

async function countOf(mark: string): Promise<number> {
  await untilNoTransaction(service.sql);
  const text = 'SELECT count(*)::int AS n FROM shipments WHERE customer_remarks = $1';
  return (await service.sql.query<{ n: number }>(text, [mark])).rows[0]?.n ?? -1;
}

describe.each([
  ['committed', 'answer', 2],
  ['not committed', 'before', 1],
] as const)('OUTCOME_UNKNOWN for the items of a transaction that was %s', (_, lose, committed) => {
  test.each([
    ['with a key', true],
    ['without a key', false],
  ])('%s', async (__, keyed) => {
    const mark = randomUUID();
    const headers: Record<string, string> = keyed ? { 'Idempotency-Key': mark } : {};
    proxy.plan = losing(2, lose);
    const { status, body } = await send(mark, headers);
    proxy.plan = () => undefined;
    expect(status).toBe(207);
    expect(told(body.items)).toEqual([
      ...times(ITEMS_PER_TRANSACTION, '201'),
      ...times(ITEMS_PER_TRANSACTION, '503 OUTCOME_UNKNOWN'),
      ...times(20, '503 UNAVAILABLE'),
    ]);
    expect(await countOf(mark)).toBe(committed * ITEMS_PER_TRANSACTION);
    if (!keyed) return;
    const again = await send(mark, headers);
    expect(told(again.body.items)).toEqual(times(ITEMS, '201'));
    expect(await countOf(mark)).toBe(ITEMS);
  });
});

test('OUTCOME_UNKNOWN for all items of a transaction that continued where a repetition of the request had come', async () => {
  const mark = randomUUID();
  let searches = 0;
  const done = JSON.stringify(Array.from({ length: 2 * ITEMS_PER_TRANSACTION }, () => ({ status: 201 })));
  // The second transaction finds that a repeated request has done its items meanwhile.
  const further = `
    UPDATE idempotency_keys SET body = '${done}' WHERE key = '${mark}' RETURNING true AS same, status, headers, body`;
  proxy.plan = losing(2, 'answer', (text) => {
    return text.includes('idempotency_find') && ++searches === 2 ? { replaceBy: further } : undefined;
  });
  const { body } = await send(mark, { 'Idempotency-Key': mark });
  proxy.plan = () => undefined;
  expect(told(body.items).slice(2 * ITEMS_PER_TRANSACTION)).toEqual(times(20, '503 OUTCOME_UNKNOWN'));
  expect(await countOf(mark)).toBe(ITEMS_PER_TRANSACTION + 20);
});
