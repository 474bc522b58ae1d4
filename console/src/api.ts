import { WaybillClient, type ClientOptions } from '@waybill/client';
import { displayName } from './session/display-name.js';
import { session } from './session/session.js';
import { serviceUrl, settings } from './settings.js';

const options: ClientOptions = {
  baseUrl: serviceUrl,
  prefix: settings.prefix,
  timeoutMs: 15_000,
  retries: 3,
  fetch: request,
  ...(settings.needsToken && { token: session.token }),
};

/**
 * The browser must not store responses: whoever uses it next could read them. Without authentication, the history shows the name that the
 * user has set.
 */
export async function request(url: string, init: RequestInit): Promise<Response> {
  const name = displayName.get();
  const headers = new Headers(init.headers);
  if (name !== '') headers.set('X-Display-Name', encodeURIComponent(name));
  const response = await fetch(url, { ...init, headers, cache: 'no-store' });
  if (response.status !== 401) {
    // Otherwise it may not have looked at the token.
    if (response.status >= 200 && response.status < 429) session.accepted();
    return response;
  }
  const text = await response.text();
  session.refused(detailIn(text));
  return new Response(text, response);
}

function detailIn(text: string): string {
  try {
    return (JSON.parse(text) as { readonly detail: string }).detail;
  } catch {
    return text;
  }
}

/** The console uses only the public API. */
export const client = new WaybillClient(options);

/** A separate client for the event feed, whose connection is monitored. */
export function feedClient(watch: Pick<ClientOptions, 'fetch' | 'onRetry'>): WaybillClient {
  return new WaybillClient({ ...options, ...watch });
}
