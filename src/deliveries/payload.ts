import type { Event } from '../events/event.js';
import { collectionName } from '../records/resource.js';
import { WEBHOOKS, type Webhook } from '../model/webhook.entity.js';

export const PING = 'webhook.ping';

export const THIN_DATA = ['resource', 'resourceID', 'shipmentID', 'moveID', 'eTag', 'previousETag', 'changes'];

/** The body of a delivery: the event as in the feed, or without values and authors. */
export function payloadOf({ json }: Event, payload: Webhook['payload']): string {
  if (payload === 'full') return json;
  const { data, ...envelope } = JSON.parse(json) as { data: { changes: { field: string }[] } };
  const thin = { ...data, changes: data.changes.map(({ field }) => ({ field })) };
  const members = Object.entries(thin).filter(([name]) => THIN_DATA.includes(name));
  return JSON.stringify({ ...envelope, data: Object.fromEntries(members) });
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
