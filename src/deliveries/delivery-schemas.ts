import type { NamedSchema } from '../openapi/response.js';
import { EXAMPLE_ID } from '../openapi/examples.js';
import { nullable, objectSchema, TIMESTAMP, UUID, type Schema } from '../validation/json-schema.js';
import { WEBHOOKS } from '../model/webhook.entity.js';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

const ATTEMPT = objectSchema('One call of the receiver.', {
  attemptedAt: { ...TIMESTAMP, description: 'When the call began.' },
  status: { type: ['integer', 'null'], description: 'The HTTP status; null without a complete answer.' },
  durationMs: { type: 'integer', description: 'The duration of the call in milliseconds.' },
  error: { type: ['string', 'null'], description: 'Why there is no answer; null if there is one.' },
  answer: {
    type: ['string', 'null'],
    description: 'The first kilobyte of the answer; null without one, or if you lack the scope to read the record.',
  },
});

const REQUEST = objectSchema('What an attempt sends now. Only when a single delivery is read.', {
  url: { type: 'string', description: 'The current URL of the webhook.' },
  headers: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Without the time and the signature.',
  },
  body: {
    type: ['string', 'null'],
    description: 'Null if the event was archived, or if you lack the scope to read its record.',
  },
});

const MEMBERS: Readonly<Record<string, Schema>> = {
  id: { ...UUID, description: 'The header `webhook-id`, the same in every attempt.' },
  webhookID: { ...UUID, description: 'The webhook.' },
  type: { type: 'string', description: 'The type of the event; `webhook.ping` for a ping.' },
  sequence: { type: ['string', 'null'], description: 'The `sequence` of the event; null for a ping.' },
  resourceID: { ...nullable(UUID), description: 'The record of the event; null for a ping.' },
  state: {
    type: 'string',
    enum: DELIVERY_STATES,
    'x-extensible': true,
    description:
      '`pending`: to be sent. `delivered`: the receiver answered 2xx. `failed`: given up, after at least ten attempts and while the receiver accepted other events, or because the event was archived.',
  },
  createdAt: { ...TIMESTAMP, description: 'When the delivery was created.' },
  deliveredAt: { ...nullable(TIMESTAMP), description: 'The first successful attempt.' },
  nextAttemptAt: {
    ...nullable(TIMESTAMP),
    description: 'When a pending delivery may be sent, if no earlier one of the same record is pending.',
  },
  attempts: { type: 'array', items: ATTEMPT, maxItems: 50, description: 'The newest 50, newest first.' },
};

const DELIVERY: Schema = {
  ...objectSchema('An event for a receiver, and the attempts to deliver it. Kept for 30 days.', MEMBERS, {
    request: REQUEST,
  }),
  examples: [
    {
      id: '5f0c9a52-5d0e-4c0b-a7a4-51d8a1d4b6c3',
      webhookID: WEBHOOKS.exampleID,
      type: 'shipment.updated',
      sequence: '0000000000000000041',
      resourceID: EXAMPLE_ID,
      state: 'delivered',
      createdAt: '2026-03-02T14:05:12.400Z',
      deliveredAt: '2026-03-02T14:05:12.520Z',
      nextAttemptAt: null,
      attempts: [{ attemptedAt: '2026-03-02T14:05:12.450Z', status: 204, durationMs: 68, error: null, answer: '' }],
    },
  ],
};

export const WEBHOOK_DELIVERY: NamedSchema = { name: 'WebhookDelivery', schema: () => DELIVERY };

export const REPLAYED: NamedSchema = {
  name: 'Replayed',
  schema: () => ({
    ...objectSchema('What a replay sends.', {
      deliveries: { type: 'integer', minimum: 0, description: 'The number of events to send again.' },
    }),
    examples: [{ deliveries: 12 }],
  }),
};
