import type { Event } from './records.js';

/** The headers of a request, as a `Headers` object or as Node.js has them. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far the clocks of the service and of the receiver may differ, in seconds; 300 by default. */
  readonly toleranceSeconds?: number;
}

/** The body that a receiver gets: an event of the feed, with `changes` that have only names if the payload is thin, or a ping. */
export type WebhookEvent = Event | WebhookPing;

export interface WebhookPing {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: 'webhook.ping';
  readonly subject: string;
  readonly time: string;
  readonly datacontenttype: 'application/json';
  readonly data: { readonly resource: 'webhook'; readonly resourceID: string };
}

/** The request does not come from the service, or is too old. Answer with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';

/**
 * Verifies a delivery (Standard Webhooks 1.0) and returns its event. The body must be the bytes or the text as received, before any parser
 * has changed it. While you replace a secret, pass both.
 */
export async function verifyWebhook(
  headers: ReceivedHeaders,
  body: string | Uint8Array,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  ) as [string, string, string];
  const age = Date.now() / 1000 - Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(age) > toleranceSeconds) {
    throw new WebhookVerificationError('The timestamp is missing, too old or in the future');
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const sent = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), sent);
  const given = signatures.split(' ').flatMap((each) => (each.startsWith('v1,') ? [bytesIn(each.slice(3))] : []));
  for (const secret of [secrets].flat()) {
    const key = await keyOf(secret);
    for (const signature of given) {
      // Compares in constant time.
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed)))
        return JSON.parse(text) as WebhookEvent;
    }
  }
  throw new WebhookVerificationError('No signature matches');
}

function headerOf(headers: ReceivedHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError(`The header ${name} is missing`);
  return value;
}

function keyOf(secret: string) {
  const bytes = bytesIn(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (bytes === undefined || bytes.length === 0) throw new TypeError('The secret is not base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function bytesIn(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
