import { CLOUD_EVENT, EVENT } from '../events/event-schemas.js';
import type { OutgoingCall } from '../openapi/operation.js';
import type { NamedSchema } from '../openapi/response.js';
import { objectSchema, TIMESTAMP, UUID, type Schema } from '../validation/json-schema.js';
import { WEBHOOKS } from '../model/webhook.entity.js';
import { PING, THIN_DATA } from './payload.js';

/** An event without values and authors. */
const THIN_EVENT: NamedSchema = {
  name: 'ThinEvent',
  schema: (resources) => {
    const { properties = {}, ...event } = EVENT.schema(resources);
    const { data, ...envelope } = properties;
    const { changes, ...ids } = pick(data?.properties ?? {}, THIN_DATA);
    const field = pick(changes?.items?.properties ?? {}, ['field']);
    const required = THIN_DATA.filter((name) => data?.required?.includes(name));
    const names: Schema = { ...changes, items: { type: 'object', required: ['field'], properties: field } };
    return {
      ...event,
      description: 'An event in a thin payload: without values and authors.',
      examples: [],
      properties: { ...envelope, data: { ...data, required, properties: { ...ids, changes: names } } },
    };
  },
};

const PING_EVENT: NamedSchema = {
  name: 'PingEvent',
  schema: () =>
    objectSchema('A test event, which is not in the feed.', {
      specversion: CLOUD_EVENT.specversion,
      id: { ...UUID, description: 'The id of the delivery.' },
      source: CLOUD_EVENT.source,
      type: { type: 'string', const: PING, description: 'The type of the event.' },
      subject: { type: 'string', description: 'The webhook, by its path below `/v1`.' },
      time: { ...TIMESTAMP, description: 'When the ping was requested.' },
      datacontenttype: CLOUD_EVENT.datacontenttype,
      data: objectSchema('The webhook.', {
        resource: { type: 'string', const: WEBHOOKS.name, description: 'The kind of record.' },
        resourceID: { ...UUID, description: 'The webhook.' },
      }),
    }),
};

export const OUTGOING_EVENT: OutgoingCall = {
  name: 'receiveEvent',
  summary: 'An event for a receiver',
  description:
    'Sent to the `url` of a webhook for each matching event, in order per record and at least once. Verify the signature (Standard Webhooks 1.0) before you use the body.',
  type: 'application/cloudevents+json',
  bodies: [EVENT, THIN_EVENT, PING_EVENT],
  headers: {
    'webhook-id': 'The id of the delivery, the same in every attempt.',
    'webhook-timestamp': 'When this attempt was made, in seconds since 1970.',
    'webhook-signature':
      '`v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`; several, separated by spaces, while the secret is being replaced.',
  },
  responses: {
    '2XX': 'Received. Any other answer, and none within 15 seconds, is a failure, which is retried.',
    '410': 'Disables the webhook.',
  },
};

function pick(schemas: Readonly<Record<string, Schema>>, names: readonly string[]): Record<string, Schema> {
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.includes(name)));
}
