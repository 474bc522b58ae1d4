import { setMaxListeners } from 'node:events';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { EventsConnection } from '../events/events-connection.js';
import { Sequencer } from '../events/sequencer.js';
import { describeCause } from '../problem/describe-cause.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DeliveryQueue, type ClaimedDelivery } from './delivery-queue.js';
import { DeliveryResults } from './delivery-results.js';
import { LOOK } from './queue-sql.js';
import { Sender } from './sender.js';

/** Calls at a time in this replica. */
const MAX_CALLS = 64;

/** Finds retries that are due, and events that another replica has numbered. */
const LOOK_EVERY_MS = 500;

const SOON_MS = 10;

interface Work {
  readonly isBehind: boolean;
  readonly hasDue: boolean;
}

/**
 * Turns events into deliveries, and sends these. Every replica does, unless WEBHOOKS=off. A replica that dies loses nothing: what it has
 * claimed is sent by another one when its lease expires.
 */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Webhooks');
  private readonly stopping = new AbortController();
  private readonly calls = new Set<Promise<void>>();
  /** Whose calls were ended by the shutdown. */
  private readonly unsent: ClaimedDelivery[] = [];
  private timer: NodeJS.Timeout | undefined;
  private soon: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;
  private isWanted = false;
  private hasFailed = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly connection: EventsConnection,
    private readonly sequencer: Sequencer,
    private readonly queue: DeliveryQueue,
    private readonly sender: Sender,
    private readonly results: DeliveryResults,
    private readonly metrics: DeliveryMetrics,
  ) {}

  onApplicationBootstrap(): void {
    if (this.isOff) return;
    setMaxListeners(MAX_CALLS, this.stopping.signal);
    this.sequencer.onNumbered(() => this.wake());
    this.timer = setInterval(() => this.wake(), LOOK_EVERY_MS).unref();
  }

  /** Ends running calls: another replica repeats them at once. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    clearTimeout(this.soon);
    this.stopping.abort(new Error('The service is stopping'));
    await this.round;
    await Promise.all(this.calls);
    await this.results.record();
    if (this.unsent.length > 0) await this.results.release(this.unsent);
  }

  /** Looks for work now, or again after the current round. */
  wake(): void {
    if (this.isOff) return;
    this.isWanted = true;
    this.round ??= this.work().finally(() => (this.round = undefined));
  }

  /** Calls that end together are recorded together. */
  private wakeSoon(): void {
    this.soon ??= setTimeout(() => {
      this.soon = undefined;
      this.wake();
    }, SOON_MS).unref();
  }

  private get isOff(): boolean {
    return this.config.WEBHOOKS === 'off';
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async work(): Promise<void> {
    while (this.isWanted && !this.isStopping) {
      this.isWanted = false;
      try {
        if (this.results.count > 0) await this.results.record();
        const [work] = await this.connection.query<Work>(LOOK);
        const hasNew = work?.isBehind === true && (await this.queue.fanOut());
        if (hasNew) this.isWanted = true;
        if (hasNew || work?.hasDue) await this.startCalls();
        this.hasFailed = false;
      } catch (error) {
        if (!this.hasFailed) this.logger.warn(`Delivering webhooks failed; retrying: ${describeCause(error)}`);
        this.hasFailed = true;
      }
    }
  }

  private async startCalls(): Promise<void> {
    const free = MAX_CALLS - this.calls.size - this.results.count;
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
          this.metrics.inFlight = this.calls.size;
          this.wakeSoon();
        });
      this.calls.add(call);
    }
    this.metrics.inFlight = this.calls.size;
  }

  private async deliver(delivery: ClaimedDelivery, body: string | undefined): Promise<void> {
    const attempt = await this.sender.send(delivery, body, this.stopping.signal);
    if (this.isStopping && attempt.status === null) this.unsent.push(delivery);
    else this.results.add({ delivery, attempt });
  }
}
