import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useFakeBrowser, type FakeBrowser } from './fake-browser.js';

const SESSION = '../../console/src/session';
const CLIENT = 'waybill-console';
const SERVICE = 'https://waybill.internal';

interface Oidc {
  beginSignIn(): Promise<void>;
  endSignIn(): Promise<{ access: string } | 'handed over' | undefined>;
}

let browser: FakeBrowser;
let server: Server;
let issuer: string;
let oidc: Oidc;
let requests: string[];
/** What the provider says of itself, and what it answers with tokens. */
let document: object;
let redirects: boolean;
let claims: object;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (request.url === '/token' && redirects) response.writeHead(307, { Location: '/elsewhere' }).end();
    else if (request.method === 'GET') response.end(JSON.stringify(document));
    else {
      const idToken = `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
      response.end(JSON.stringify({ access_token: 'access', id_token: idToken }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = {
    root: '../',
    signIn: { issuer, clientID: CLIENT, parameters: 'audience=a' },
    scopes: ['moves:read'],
  };
  browser = useFakeBrowser(settings, SERVICE);
  // Not a plain literal: the types of a browser are not those of Node.js.
  oidc = (await import(`${SESSION}/oidc.js`)) as Oidc;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

beforeEach(() => {
  browser.kept.clear();
  requests = [];
  redirects = false;
  document = { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` };
  Object.assign(browser.location, { pathname: '/console/list', search: '' });
});

/** Begins a sign-in, and returns the parameters of the request. */
async function begin(): Promise<URLSearchParams> {
  await oidc.beginSignIn();
  const { searchParams } = new URL(browser.location.href);
  claims = { iss: issuer, aud: CLIENT, nonce: searchParams.get('nonce') };
  return searchParams;
}

/** Loads the page that the provider leads back to. */
function comeBack(answer: Record<string, string>) {
  Object.assign(browser.location, {
    pathname: '/console/signed-in',
    search: `?${new URLSearchParams(answer).toString()}`,
  });
  return oidc.endSignIn();
}

const tokenRequests = () => requests.filter((request) => request.startsWith('POST'));

it('asks for a code with PKCE, a state, a nonce and the configured parameters, and exchanges it once', async () => {
  const asked = await begin();
  expect(Object.fromEntries(asked)).toMatchObject({
    ...{ response_type: 'code', client_id: CLIENT, code_challenge_method: 'S256', audience: 'a' },
    ...{ scope: 'openid profile moves:read', redirect_uri: `${SERVICE}/console/signed-in` },
  });
  const answer = { code: 'c', state: asked.get('state') ?? '', iss: issuer };
  expect(await comeBack(answer)).toMatchObject({ access: 'access' });
  await expect(comeBack(answer)).rejects.toThrow('not started in this tab');
  expect(tokenRequests()).toEqual(['POST /token']);
});

it.each([
  ['another state', { state: 'guessed' }],
  ['another issuer', { iss: 'https://other.internal' }],
])('refuses an answer with %s, without sending its code', async (_, change) => {
  const asked = await begin();
  await expect(comeBack({ code: 'c', state: asked.get('state') ?? '', ...change })).rejects.toThrow(/Try again/);
  expect(tokenRequests()).toEqual([]);
});

it.each([
  { nonce: 'another' },
  { nonce: undefined },
  { aud: 'another' },
  { aud: ['one', 'two'] },
  { iss: 'https://other.internal' },
])('refuses an ID token with %j', async (change) => {
  const asked = await begin();
  claims = { ...claims, ...change };
  await expect(comeBack({ code: 'c', state: asked.get('state') ?? '' })).rejects.toThrow('does not belong');
});

it('follows no redirect of the token endpoint', async () => {
  const asked = await begin();
  redirects = true;
  await expect(comeBack({ code: 'c', state: asked.get('state') ?? '' })).rejects.toThrow('does not respond');
  expect(tokenRequests()).toEqual(['POST /token']);
});

it.each([
  { issuer: 'https://other.internal' },
  { authorization_endpoint: 'javascript:alert(1)' },
  { token_endpoint: 'ftp://127.0.0.1/token' },
  { token_endpoint: undefined },
])('refuses a discovery document with %j', async (change) => {
  document = { ...document, ...change };
  await expect(oidc.beginSignIn()).rejects.toThrow('belongs to another issuer, or names addresses');
});
