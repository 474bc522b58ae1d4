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

/** The console uses only the public API. */
export const client = new WaybillClient(options);

/** A separate client for the event feed, whose connection is monitored. */
export function feedClient(watch: Pick<ClientOptions, 'fetch' | 'onRetry'>): WaybillClient {
  return new WaybillClient({ ...options, ...watch });
}
