import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignInOrigins } from '../../src/pages/sign-in-origins.js';

let server: Server;
let issuer: string;
let requests: string[];
/** What the issuer answers; nothing if it is undefined. */
let document: ((issuer: string) => object | string) | undefined;

beforeEach(async () => {
  requests = [];
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const answer = document?.(issuer);
    if (answer !== undefined) response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realms/depot`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const endpoint = (token_endpoint: unknown) => (of: string) => ({ issuer: of, token_endpoint });

/** Documents, and the origin besides that of the issuer. */
const DOCUMENTS: readonly [document: typeof document, origin?: string][] = [
  [endpoint('https://tokens.internal/token'), 'https://tokens.internal'],
  [endpoint('http://tokens.internal:8080/token?a=b'), 'http://tokens.internal:8080'],
  [endpoint("https://tokens.internal/; script-src 'unsafe-inline'")],
  [endpoint("https://tokens.internal;script-src 'self'/token")],
  [endpoint('javascript:alert(1)')],
  [endpoint('data:text/plain,token')],
  [endpoint(7)],
  [endpoint(undefined)],
  [() => ({ issuer: 'https://other.internal', token_endpoint: 'https://tokens.internal/token' })],
  [() => ({ token_endpoint: 'https://tokens.internal/token' })],
  [() => 'null'],
  [() => '<html>'],
  [() => ''],
  [undefined],
];

// Jest would take the second parameter of a row without an origin for its callback.
const ROWS = DOCUMENTS.map(([answer, origin]) => ({ answer, origin }));

test.each(ROWS)('the origins for signing in, by the discovery document: %#', async ({ answer, origin }) => {
  document = answer;
  const own = new URL(issuer).origin;
  expect(await new SignInOrigins(issuer).list()).toEqual(origin === undefined ? [own] : [own, origin]);
  expect(requests).toEqual(['/realms/depot/.well-known/openid-configuration']);
});

test('an issuer that fails is asked again after ten seconds, one that answered after ten minutes', async () => {
  document = () => '<html>';
  const origins = new SignInOrigins(issuer);
  const own = new URL(issuer).origin;
  const read = async (seconds: number) => [(await origins.list(1000 * seconds)).length, requests.length];
  expect([await read(0), await read(9)]).toEqual([
    [1, 1],
    [1, 1],
  ]);
  document = endpoint('https://tokens.internal/token');
  expect([await read(11), await read(600)]).toEqual([
    [2, 2],
    [2, 2],
  ]);
  document = endpoint(`${own}/token`);
  // The former answer is good enough until the new one is there.
  await read(612);
  while ((await origins.list(613_000)).length > 1) await new Promise(setImmediate);
  expect(requests).toHaveLength(3);
});
