import { WaybillClient, type ClientOptions } from '@waybill/client';
import { displayName } from './session/display-name.js';
import { session } from './session/session.js';
import { serviceUrl, settings } from './settings.js';

const options: ClientOptions = {
  baseUrl: serviceUrl,
  prefix: settings.prefix,
  timeoutMs: 15_000,
  retries: 3,
  ...(settings.needsToken ? { token: session.token } : { fetch: named }),
};

/** Without authentication, the history shows the name that the user has set. */
function named(url: string, init: RequestInit): Promise<Response> {
  const name = displayName.get();
  if (name === '') return fetch(url, init);
  const headers = new Headers(init.headers);
  headers.set('X-Display-Name', encodeURIComponent(name));
  return fetch(url, { ...init, headers });
}

/** The console uses only the public API. */
export const client = new WaybillClient(options);

/** A separate client for the event feed, whose connection is monitored. */
export function feedClient(watch: Pick<ClientOptions, 'fetch' | 'onRetry'>): WaybillClient {
  return new WaybillClient({ ...options, ...watch });
}
