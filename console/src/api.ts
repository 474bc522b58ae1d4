import { WaybillClient, type ClientOptions } from '@waybill/client';
import { session } from './session/session.js';
import { serviceUrl, settings } from './settings.js';

const options: ClientOptions = {
  baseUrl: serviceUrl,
  prefix: settings.prefix,
  timeoutMs: 15_000,
  retries: 3,
  ...(settings.needsToken && { token: session.token }),
};

/** Every call of the console goes through the public API. */
export const client = new WaybillClient(options);

/** The same for the feed, whose connection is watched. */
export function feedClient(watch: Pick<ClientOptions, 'fetch' | 'onRetry'>): WaybillClient {
  return new WaybillClient({ ...options, ...watch });
}
