import { useServiceWithKeys } from '../support/http/keys.js';
import { exchange } from '../support/http/plain-http.js';
import { bearer } from '../support/http/tokens.js';
import { UNKNOWN_ID } from '../support/records/records.js';

const PARTNER = 'https://partner.internal';
const PUBLIC = 'https://waybill.internal';

const { service, signed } = useServiceWithKeys({
  AUTH_MODE: 'jwt,keys,proxy',
  TRUSTED_PROXIES: '127.0.0.1',
  AUTH_PROXY_SUBJECT_HEADER: 'X-Forwarded-User',
  CORS_ORIGINS: PARTNER,
  PUBLIC_URL: PUBLIC,
});

const PROXIED = { 'X-Forwarded-User': 'ann-7' };

/** Without a body: what a form of any page can send. */
async function statusOf(headers: Record<string, string>, method = 'POST'): Promise<number> {
  const path = method === 'POST' ? `/v1/keys/${UNKNOWN_ID}/rotateKey` : `/v1/moves/${UNKNOWN_ID}`;
  return (await exchange(service.url + path, { method, headers }, undefined)).status;
}

const OTHERS: Record<string, string>[] = [
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site', Origin: 'https://other.waybill.internal' },
  { 'Sec-Fetch-Site': 'cross-site', Origin: PUBLIC },
  { 'Sec-Fetch-Site': 'something-new' },
  { Origin: 'https://evil.internal' },
  { Origin: 'null' },
  { Origin: '' },
];

test.each(OTHERS)('403 for a write that a browser sends for a page of another site: %j', async (headers) => {
  expect(await statusOf({ ...PROXIED, ...headers })).toBe(403);
  expect(await statusOf({ ...PROXIED, ...headers }, 'DELETE')).toBe(403);
  expect(await statusOf({ ...PROXIED, ...headers }, 'GET')).toBe(404);
});

test.each([
  {},
  { 'Sec-Fetch-Site': 'same-origin', Origin: PUBLIC },
  { 'Sec-Fetch-Site': 'none' },
  { 'Sec-Fetch-Site': 'cross-site', Origin: PARTNER },
  { Origin: PARTNER },
  { Origin: PUBLIC },
])('a write of a program, of the console and of a permitted origin passes: %j', async (headers) => {
  expect(await statusOf({ ...PROXIED, ...headers })).toBe(404);
});

test('a page of the host that was called may write', async () => {
  expect(await statusOf({ ...PROXIED, Origin: service.url })).toBe(404);
});

test('a token or a key is sent by a program alone, from wherever it was loaded', async () => {
  const token = await signed({ scope: 'keys:write' });
  for (const headers of OTHERS) expect(await statusOf({ ...PROXIED, ...bearer(token), ...headers })).toBe(404);
});
