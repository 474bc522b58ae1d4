import type { Fault } from './fault.js';

const QUEUE = 'src/deliveries/queue-sql.ts';
const SHARES = 'src/deliveries/shares.ts';

/** Faults in the queue of deliveries of webhooks, and in how calls are shared. */
export const DELIVERY_FAULTS: readonly Fault[] = [
  {
    about: 'a delivery is given up after ten failures, also while the receiver is away',
    file: QUEUE,
    find: `\n  AND p.accepted_at > (SELECT max(attempted_at) FROM webhook_attempts a WHERE a.delivery_id = d.id)`,
    replace: '',
    specs: ['test/deliveries/failures.spec.ts'],
    only: 'failures are retried',
  },
  {
    about: 'a ping that succeeds counts as an accepted event',
    file: QUEUE,
    find: `state = 'delivered' AND event_number IS NOT NULL`,
    replace: `state = 'delivered'`,
    specs: ['test/deliveries/failures.spec.ts'],
    only: 'a ping that succeeds',
  },
  {
    about: 'resuming ends after its first step',
    file: QUEUE,
    find: 'HAVING count(*) = ${RESUMED_AT_ONCE}',
    replace: 'HAVING count(*) < 0',
    specs: ['test/deliveries/resuming.spec.ts'],
  },
  {
    about: 'a webhook gets deliveries however many of them are due',
    file: QUEUE,
    find: ') < ${ENOUGH_DUE}`',
    replace: ') >= 0`',
    specs: ['test/deliveries/fan-out-turns.spec.ts'],
  },
  {
    about: 'one creator takes all calls',
    file: SHARES,
    find: 'calls < CALLS_PER_CREATOR',
    replace: 'calls < MAX_CALLS',
    specs: ['test/deliveries/shares.spec.ts'],
  },
  {
    about: 'two creators leave no call for a third one',
    file: SHARES,
    find: 'calls < CALLS_PER_FREE_CALL * free',
    replace: 'free > (isAlone ? CALLS_PER_CREATOR : 0)',
    specs: ['test/deliveries/shares.spec.ts'],
    only: 'a third creator',
  },
  {
    about: 'a receiver gets more calls under another spelling of its name',
    file: SHARES,
    find: `.replace(/\\.$/, '')`,
    replace: '',
    specs: ['test/deliveries/shares.spec.ts'],
  },
  {
    about: 'results of deleted webhooks keep their shares',
    file: 'src/deliveries/delivery-queue.ts',
    find: 'left = others.filter(({ delivery }) => existing.has(delivery.webhookID));',
    replace: 'left = others;',
    specs: ['test/deliveries/deleted-webhooks.spec.ts'],
    only: 'leave their shares to others',
  },
  {
    about: 'webhooks of one caller are counted without a lock',
    file: 'src/webhooks/webhooks.service.ts',
    find: 'await transaction.query(CREATOR_OF_WEBHOOKS.lock, [subject]);',
    replace: '',
    specs: ['test/webhooks/webhook-limit.spec.ts'],
  },
  {
    about: 'the oldest delivery is the one whose attempt comes first',
    file: QUEUE,
    find: `state = 'pending' ORDER BY \${PLACE} LIMIT 1\n      )) AS oldest`,
    replace: `state = 'pending' ORDER BY next_attempt_at LIMIT 1\n      )) AS oldest`,
    specs: ['test/deliveries/lateness.spec.ts'],
  },
  {
    about: 'the events of a seed reach receivers',
    file: QUEUE,
    find: 's.positions @> e.position',
    replace: 's.positions @> -e.position',
    specs: ['test/tools/seed-webhooks.spec.ts'],
  },
];
