import type { Config } from '../config/config.js';
import type { FieldError } from '../problem/problem.js';
import type { WebhookFields } from './dto/webhook-fields.js';
import { ReceiverAddresses } from './receiver-addresses.js';

/** Refuses URLs that no delivery could reach. What a name resolves to is checked when a delivery is sent. */
export function permittedUrl({ WEBHOOK_ALLOWED_NETWORKS }: Config, { url }: WebhookFields): FieldError[] {
  if (typeof url !== 'string' || !/^https?:/i.test(url) || !URL.canParse(url)) return [];
  const message = new ReceiverAddresses(WEBHOOK_ALLOWED_NETWORKS).faultOf(new URL(url));
  return message === undefined ? [] : [{ pointer: '/url', code: 'NOT_PERMITTED', message }];
}
