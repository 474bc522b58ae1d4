import { Injectable, Logger } from '@nestjs/common';
import { describeCause } from '../problem/describe-cause.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DeliveryQueue, type ClaimedDelivery, type Result } from './delivery-queue.js';

/**
 * Results of calls until they are recorded, all at once: single results would wait for each other at the lock of their webhook, and new
 * deliveries would wait for them.
 */
@Injectable()
export class DeliveryResults {
  private readonly logger = new Logger('Webhooks');
  private readonly results: Result[] = [];

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly metrics: DeliveryMetrics,
  ) {}

  get count(): number {
    return this.results.length;
  }

  add(result: Result): void {
    this.results.push(result);
  }

  async record(): Promise<void> {
    const results = this.results.splice(0);
    const others = results.filter(({ attempt }) => attempt.disables === undefined);
    if (others.length > 0) await this.recorded(others, this.queue.record(others));
    for (const result of results) {
      const { delivery, attempt } = result;
      if (attempt.disables === undefined) continue;
      const isRecorded = await this.recorded([result], this.queue.recordAndDisable(result, attempt.disables));
      if (isRecorded) this.logger.warn(`Webhook ${delivery.webhookID} is disabled: ${attempt.disables}`);
    }
  }

  /** Gives deliveries back whose calls were ended by the shutdown. */
  async release(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    await this.queue.release(deliveries).catch((error: unknown) => this.notRecorded(deliveries, error));
  }

  private async recorded(results: readonly Result[], recording: Promise<void>): Promise<boolean> {
    const deliveries = results.map(({ delivery }) => delivery);
    try {
      await recording;
      for (const { attempt } of results) this.metrics.count(attempt);
      return true;
    } catch (error) {
      this.notRecorded(deliveries, error);
      return false;
    }
  }

  /** The leases expire, and the deliveries are sent again. */
  private notRecorded(deliveries: readonly ClaimedDelivery[], error: unknown): void {
    const ids = deliveries.map(({ id }) => id).join(', ');
    this.logger.warn(`The results of deliveries were not recorded: ${describeCause(error)}: ${ids}`);
  }
}
