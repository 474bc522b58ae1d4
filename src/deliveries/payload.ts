import type { Event } from '../events/event.js';
import { collectionName } from '../records/resource.js';
import { WEBHOOKS, type Webhook } from '../webhooks/webhook.entity.js';

export const PING = 'webhook.ping';

interface EventData {
  readonly resource: string;
  readonly resourceID: string;
  readonly shipmentID: string | null;
  readonly moveID: string | null;
  readonly eTag: string | null;
  readonly changes: readonly { readonly field: string }[];
}

/** The body of a delivery: the event as in the feed, or without values and authors. */
export function payloadOf({ json }: Event, payload: Webhook['payload']): string {
  if (payload === 'full') return json;
  const { data, ...envelope } = JSON.parse(json) as { readonly data: EventData };
  const { resource, resourceID, shipmentID, moveID, eTag, changes } = data;
  const names = changes.map(({ field }) => ({ field }));
  return JSON.stringify({ ...envelope, data: { resource, resourceID, shipmentID, moveID, eTag, changes: names } });
}

/** A CloudEvent that is not in the feed. */
export function pingOf(delivery: { id: string; webhookID: string; createdAt: string }, source: string): string {
  return JSON.stringify({
    specversion: '1.0',
    id: delivery.id,
    source,
    type: PING,
    subject: `${collectionName(WEBHOOKS)}/${delivery.webhookID}`,
    time: delivery.createdAt,
    datacontenttype: 'application/json',
    data: { resource: WEBHOOKS.name, resourceID: delivery.webhookID },
  });
}
