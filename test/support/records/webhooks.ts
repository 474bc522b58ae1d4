import type { Json } from '../http/api.js';
import { Receiver } from '../http/receiver.js';
import { eventually } from '../races/eventually.js';
import type { TestService } from '../service/service.js';
import { allNumbered } from './events.js';
// After the service, which loads its modules in an order of their own.
import { DeliveryWorker } from '../../../src/deliveries/delivery-worker.js';

/** Delivers webhooks, also to receivers on this machine. */
export const LOOPBACK = { WEBHOOKS: 'on', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };

/** A receiver for each test, and the webhooks that call it. */
export class WebhookWorld {
  receiver!: Receiver;

  constructor(private readonly service: TestService) {
    beforeEach(async () => {
      this.receiver = await Receiver.start();
    });
    afterEach(async () => {
      await service.sql.query('DELETE FROM webhooks');
      await this.receiver.stop();
    });
  }

  /** A webhook that starts with the next change. */
  async create(fields: object = {}): Promise<Json> {
    await allNumbered(this.service.sql);
    const { status, body } = await this.service.api.post('/v1/webhooks', { url: this.receiver.url, ...fields });
    if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return body;
  }

  async received(count: number): Promise<void> {
    await this.until(() => this.receiver.received.length >= count, `${count} deliveries`);
  }

  async until(condition: () => boolean | Promise<boolean>, about: string): Promise<void> {
    await eventually(async () => condition(), 15_000, about);
  }

  async deliveries(webhook: Json, query = ''): Promise<Json[]> {
    return (await this.service.api.get<Json[]>(`/v1/webhooks/${webhook.id}/deliveries${query}`)).body;
  }

  async state(webhook: Json): Promise<Json> {
    return (await this.service.api.get(`/v1/webhooks/${webhook.id}`)).body;
  }

  /** Makes every pending delivery due. */
  async retryNow(): Promise<void> {
    await this.service.sql.query(
      `UPDATE webhook_deliveries SET next_attempt_at = now() WHERE state = 'pending' AND lease IS NULL`,
    );
    this.service.app.get(DeliveryWorker).wake();
  }
}
