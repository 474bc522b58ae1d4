import { createHmac } from 'node:crypto';

/** The headers of Standard Webhooks 1.0. While a secret is replaced, both sign. */
export function signedHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  now = Date.now(),
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
