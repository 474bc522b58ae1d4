import { setMaxListeners } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { EventsConnection } from '../events/events-connection.js';
import { Sequencer } from '../events/sequencer.js';
import { BackgroundLoop } from '../operations/background-loop.js';
import { Metrics } from '../operations/metrics.js';
import { describeCause } from '../problem/failures.js';
import { DeliveryQueue, type ClaimedDelivery, type Result } from './delivery-queue.js';
import { BACKLOG, LOOK } from './queue-sql.js';
import { Sender } from './sender.js';

/** Calls at a time in this replica. */
const MAX_CALLS = 64;

/** Finds retries that are due, and events that another replica has numbered. */
const LOOK_EVERY_MS = 500;

const SOON_MS = 10;

/** The columns of BACKLOG as metrics. */
const GAUGES = [
  ['waybill_webhook_oldest_pending_seconds', 'oldestSeconds', 'Age of the oldest undelivered event'],
  ['waybill_webhooks_disabled', 'disabled', 'Webhooks that the service has disabled'],
  ['waybill_webhooks_failing', 'failing', 'Enabled webhooks whose latest delivery failed'],
] as const;

/**
 * Turns events into deliveries, and sends these. Every replica does, unless WEBHOOKS=off. A replica that dies loses nothing: what it has
 * claimed is sent by another one when its lease expires.
 */
@Injectable()
export class DeliveryWorker extends BackgroundLoop {
  private readonly stopping = new AbortController();
  private readonly calls = new Set<Promise<void>>();
  /**
   * Results of calls until they are recorded, all at once: single results would wait for each other at the lock of their webhook, and new
   * deliveries would wait for them.
   */
  private readonly results: Result[] = [];
  /** Deliveries whose calls the shutdown aborted. */
  private readonly unsent: ClaimedDelivery[] = [];
  private soon: NodeJS.Timeout | undefined;

  constructor(
    @Inject(CONFIG) { WEBHOOKS }: Config,
    private readonly connection: EventsConnection,
    sequencer: Sequencer,
    private readonly queue: DeliveryQueue,
    private readonly sender: Sender,
    metrics: Metrics,
  ) {
    super('Webhooks', 'Delivering webhooks', LOOK_EVERY_MS);
    this.isStopped = WEBHOOKS === 'off';
    setMaxListeners(MAX_CALLS, this.stopping.signal);
    sequencer.onNumbered(() => this.wake());
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
    await this.queue.record(this.results.splice(0));
    if (this.unsent.length > 0) await this.queue.release(this.unsent);
  }

  protected override async round(): Promise<number> {
    await this.queue.record(this.results.splice(0));
    const [work] = await this.connection.query<{ isBehind: boolean; hasDue: boolean }>(LOOK);
    const hasNew = work?.isBehind === true && (await this.queue.fanOut());
    if (hasNew || work?.hasDue) await this.startCalls();
    return hasNew ? 0 : LOOK_EVERY_MS;
  }

  /** Calls that end together are recorded together. */
  private wakeSoon(): void {
    this.soon ??= setTimeout(() => {
      this.soon = undefined;
      this.wake();
    }, SOON_MS).unref();
  }

  private async startCalls(): Promise<void> {
    const free = MAX_CALLS - this.calls.size - this.results.length;
    if (free <= 0) return;
    const claimed = await this.queue.claim(free);
    if (claimed.length === 0) return;
    const bodies = await this.sender.bodiesOf(claimed);
    for (const delivery of claimed) {
      const call = this.deliver(delivery, bodies.get(delivery))
        .catch((error: unknown) => {
          // The lease expires, and the delivery is sent again.
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
