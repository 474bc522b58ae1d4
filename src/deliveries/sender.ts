import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { EventLog } from '../events/event-log.js';
import { ReceiverAddresses } from '../webhooks/receiver-addresses.js';
import type { Attempt, ClaimedDelivery } from './delivery-queue.js';
import { payloadOf, pingOf } from './payload.js';
import { callReceiver, type CallResult, type Resolve } from './receiver-call.js';
import { ReceiverNames } from './receiver-names.js';
import { pauseAfter } from './retries.js';

const GONE = 410;

/** The fields that determine the body of a delivery. */
export type Sendable = Pick<ClaimedDelivery, 'id' | 'webhookID' | 'eventNumber' | 'createdAt' | 'payload'>;

/** The headers of Standard Webhooks 1.0, without the time and the signature. */
export function unsignedHeaders(deliveryID: string): Record<string, string> {
  return {
    'Content-Type': 'application/cloudevents+json; charset=utf-8',
    'User-Agent': 'Waybill',
    'webhook-id': deliveryID,
  };
}

/** While a secret is replaced, both sign. */
function signatureHeaders(id: string, body: string, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/** Sends deliveries. Their bodies are read from the feed for each attempt, so that erased values are not sent any more. */
@Injectable()
export class Sender {
  private readonly addresses: ReceiverAddresses;
  private readonly source: string;
  private readonly resolve: Resolve;

  constructor(
    private readonly log: EventLog,
    @Inject(CONFIG) { WEBHOOK_ALLOWED_NETWORKS, PUBLIC_URL = '/waybill' }: Config,
  ) {
    this.addresses = new ReceiverAddresses(WEBHOOK_ALLOWED_NETWORKS);
    this.source = PUBLIC_URL;
    // Names in the search list are those of a private network.
    const names = new ReceiverNames({ usesSearchList: WEBHOOK_ALLOWED_NETWORKS !== undefined });
    this.resolve = (name, signal) => names.addressesOf(name, signal);
  }

  async bodiesOf<D extends Sendable>(deliveries: readonly D[]): Promise<ReadonlyMap<D, string>> {
    const numbers = deliveries.map(({ eventNumber }) => eventNumber).filter((number) => number !== null);
    const events = await this.log.numbered(numbers);
    const bodies = new Map<D, string>();
    for (const delivery of deliveries) {
      const event = events.find(({ number }) => number === delivery.eventNumber);
      if (delivery.eventNumber === null) bodies.set(delivery, pingOf(delivery, this.source));
      else if (event !== undefined && !event.isArchived) bodies.set(delivery, payloadOf(event, delivery.payload));
    }
    return bodies;
  }

  async send(delivery: ClaimedDelivery, body: string | undefined, signal: AbortSignal): Promise<Attempt> {
    const attemptedAt = new Date();
    if (body === undefined) return { ...ARCHIVED, attemptedAt };
    const headers = { ...unsignedHeaders(delivery.id), ...signatureHeaders(delivery.id, body, delivery.secrets) };
    const result = await callReceiver({ url: delivery.url, headers, body, signal }, this.addresses, this.resolve);
    return { attemptedAt, ...result, ...outcomeOf(delivery, result) };
  }
}

/** An event that is no longer in the feed cannot be sent. */
const ARCHIVED = {
  state: 'failed',
  status: null,
  error: 'The event was archived',
  answer: null,
  durationMs: 0,
  pauseMs: 0,
  isGone: false,
} as const;

function outcomeOf(
  { attempts }: ClaimedDelivery,
  { status, retryAfter }: CallResult,
): Pick<Attempt, 'state' | 'pauseMs' | 'isGone'> {
  if (status !== null && status >= 200 && status < 300) return { state: 'delivered', pauseMs: 0, isGone: false };
  const pauseMs = Math.round(pauseAfter(attempts + 1, status, retryAfter));
  return { state: 'pending', pauseMs, isGone: status === GONE };
}
