import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { BackgroundConnection } from '../database/background-connection.js';
import { BackgroundLoop } from '../operations/background-loop.js';
import { Metrics } from '../operations/metrics.js';
import { describeCause } from '../problem/failures.js';
import { DeliveryQueue, type ClaimedDelivery, type Result } from './delivery-queue.js';
import { FanOut } from './fan-out.js';
import { BACKLOG, DUE } from './queue-sql.js';
import { Sender } from './sender.js';
import { distribute, MAX_CALLS, type DueWebhook } from './shares.js';

/** Finds retries that are due, and deliveries that another replica has created. */
const LOOK_EVERY_MS = 500;

const SOON_MS = 10;

/** At shutdown, while somebody else has locked a webhook: about three seconds. */
const MAX_LAST_TRIES = 25;

/** The columns of BACKLOG as metrics. */
const GAUGES = [
  [
    'waybill_webhook_oldest_pending_seconds',
    'oldestSeconds',
    'Age of the oldest pending delivery, or event without deliveries yet, of enabled webhooks',
  ],
  [
    'waybill_webhook_overdue_seconds',
    'overdueSeconds',
    'How long the first due delivery has waited to be sent, of enabled webhooks whose receivers have not failed for five minutes',
  ],
  ['waybill_webhooks_disabled', 'disabled', 'Webhooks that the service has disabled'],
  ['waybill_webhooks_failing', 'failing', 'Enabled webhooks whose latest delivery failed'],
] as const;

/** Sends deliveries, in every replica unless WEBHOOKS=off. If a replica dies, another one sends its deliveries after the lease. */
@Injectable()
export class DeliveryWorker extends BackgroundLoop {
  private readonly stopping = new AbortController();
  private readonly calls = new Set<Promise<void>>();
  /** The deliveries of these calls, and those whose results are not recorded yet. */
  private readonly underway = new Set<ClaimedDelivery>();
  /** Results until they are recorded, all at once: single ones would wait for each other at the lock of their webhook. */
  private readonly results: Result[] = [];
  /** Deliveries whose calls the shutdown aborted. */
  private readonly unsent: ClaimedDelivery[] = [];
  private soon: NodeJS.Timeout | undefined;

  constructor(
    @Inject(CONFIG) { WEBHOOKS }: Config,
    private readonly connection: BackgroundConnection,
    fanOut: FanOut,
    private readonly queue: DeliveryQueue,
    private readonly sender: Sender,
    metrics: Metrics,
  ) {
    super('Webhooks', 'Delivering webhooks', LOOK_EVERY_MS);
    this.isStopped = WEBHOOKS === 'off';
    setMaxListeners(MAX_CALLS, this.stopping.signal);
    fanOut.followers.push(this);
    metrics.gauge('waybill_webhook_calls_in_flight', 'Calls of receivers in progress', [], (gauge) => {
      gauge.set(this.calls.size);
    });
    metrics.queriedGauges(() => connection.query(BACKLOG), GAUGES);
  }

  /** Ends running calls: another replica repeats them at once. */
  override async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.soon);
    this.stopping.abort(new Error('The service is stopping'));
    await super.beforeApplicationShutdown();
    await Promise.all(this.calls);
    for (let tries = 0; this.results.length > 0 && tries < MAX_LAST_TRIES; tries += 1) {
      if (tries > 0) await sleep(SOON_MS * tries);
      await this.recordResults();
    }
    if (this.unsent.length > 0) await this.queue.release(this.unsent);
  }

  protected override async round(): Promise<number> {
    await this.recordResults();
    await this.startCalls();
    return LOOK_EVERY_MS;
  }

  private async recordResults(): Promise<void> {
    const results = this.results.splice(0);
    const left = await this.queue.record(results);
    for (const { delivery } of results) this.underway.delete(delivery);
    for (const result of left) this.underway.add(result.delivery);
    this.results.push(...left);
    if (left.length > 0) this.wakeSoon();
  }

  /** Calls that end together are recorded together. */
  private wakeSoon(): void {
    this.soon ??= setTimeout(() => {
      this.soon = undefined;
      this.wake();
    }, SOON_MS).unref();
  }

  private async startCalls(): Promise<void> {
    if (this.underway.size >= MAX_CALLS) return;
    const due = await this.connection.query<DueWebhook>(DUE);
    const shares = distribute(due, [...this.underway]);
    if (shares.size === 0) return;
    const claimed = await this.queue.claim(shares);
    if (claimed.length === 0) return;
    const bodies = await this.sender.bodiesOf(claimed);
    for (const delivery of claimed) {
      this.underway.add(delivery);
      const call = this.deliver(delivery, bodies.get(delivery))
        .catch((error: unknown) => {
          // The lease expires, and the delivery is sent again.
          this.underway.delete(delivery);
          this.logger.warn(`Delivery ${delivery.id} was not sent: ${describeCause(error)}`);
        })
        .finally(() => {
          this.calls.delete(call);
          this.wakeSoon();
        });
      this.calls.add(call);
    }
  }

  private async deliver(delivery: ClaimedDelivery, body: string | undefined): Promise<void> {
    const attempt = await this.sender.send(delivery, body, this.stopping.signal);
    if (this.stopping.signal.aborted && attempt.status === null) this.unsent.push(delivery);
    else this.results.push({ delivery, attempt });
  }
}
