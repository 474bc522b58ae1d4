import { RECORD, recordOf, withMembers, type Expected } from './expected.js';
import type { CallOptions, Http, WriteCallOptions } from './http.js';
import type { List } from './list.js';
import type {
  HistoryEntry,
  NewWebhook,
  Replay,
  Replayed,
  Webhook,
  WebhookDeliveriesQuery,
  WebhookDelivery,
  WebhookPatch,
  WebhookReplacement,
  WebhookWithSecret,
} from './records.js';
import { listOf, Records, type DeleteOptions, type ListOptions } from './versioned-records.js';

const WITH_SECRET: Expected = (answer) => RECORD(answer) && withMembers('secret')(answer);
const DELIVERY = withMembers('id', 'webhookID', 'state');

/** Webhooks and their deliveries. Receivers verify deliveries with `verifyWebhook` from `@waybill/client/webhooks`. */
export class Webhooks extends Records<Webhook, WebhookPatch, WebhookReplacement> {
  /** Its state changes without a new version. */
  protected override readonly unreported = undefined;

  constructor(http: Http) {
    super(http, '/v1/webhooks');
  }

  list(options: ListOptions = {}): List<Webhook> {
    return listOf(this.http, '/v1/webhooks', options);
  }

  /** Its changes, newest first; available even after it was deleted. */
  history(id: string, options: ListOptions = {}): List<HistoryEntry> {
    return listOf(this.http, `${this.pathOf(id)}/history`, options);
  }

  /** The response has the secret, which cannot be read later. */
  create(webhook: NewWebhook, options: WriteCallOptions = {}): Promise<WebhookWithSecret> {
    const request = { method: 'POST', path: '/v1/webhooks', body: webhook, expected: WITH_SECRET, ...options } as const;
    return this.http.call<WebhookWithSecret>(request);
  }

  /** The response has the new secret. The previous one keeps signing for a day. */
  rotateSecret(id: string, options: DeleteOptions = {}): Promise<WebhookWithSecret> {
    const path = `${this.pathOf(id)}/rotateSecret`;
    const expected: Expected = (answer) => recordOf(id)(answer) && WITH_SECRET(answer);
    return this.http.call<WebhookWithSecret>({ method: 'POST', path, expected, ...options });
  }

  /** Sends a test event. */
  ping(id: string, options: WriteCallOptions = {}): Promise<WebhookDelivery> {
    const path = `${this.pathOf(id)}/ping`;
    return this.http.call<WebhookDelivery>({ method: 'POST', path, expected: DELIVERY, ...options });
  }

  /** The deliveries of the last 30 days with their attempts, newest first. */
  deliveries(id: string, query: WebhookDeliveriesQuery & CallOptions = {}): List<WebhookDelivery> {
    return listOf(this.http, `${this.pathOf(id)}/deliveries`, query);
  }

  delivery(id: string, deliveryID: string, options: CallOptions = {}): Promise<WebhookDelivery> {
    const path = this.pathOfDelivery(id, deliveryID);
    return this.http.call<WebhookDelivery>({ method: 'GET', path, expected: DELIVERY, ...options });
  }

  /** Sends a delivery again, with the same `webhook-id`. */
  redeliver(id: string, deliveryID: string, options: WriteCallOptions = {}): Promise<WebhookDelivery> {
    const path = `${this.pathOfDelivery(id, deliveryID)}/redeliver`;
    return this.http.call<WebhookDelivery>({ method: 'POST', path, expected: DELIVERY, ...options });
  }

  /** Sends a range of events again. */
  replay(id: string, range: Replay, options: WriteCallOptions = {}): Promise<Replayed> {
    const request = { method: 'POST', path: `${this.pathOf(id)}/replay`, body: range, ...options } as const;
    return this.http.call<Replayed>({ ...request, expected: withMembers('deliveries') });
  }

  private pathOfDelivery(id: string, deliveryID: string): string {
    return `${this.pathOf(id)}/deliveries/${encodeURIComponent(deliveryID)}`;
  }
}
