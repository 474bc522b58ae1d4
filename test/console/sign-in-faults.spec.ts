import { CLIENT_ID, startOpenIDProvider, type OpenIDProvider } from '../support/http/openid-provider.mjs';
import { bearer } from '../support/http/tokens.js';
import { startService, type TestService } from '../support/service/service.js';
import { chooseAtProvider, loadSignIn, type SignInPage } from './sign-in-page.js';

type Claims = Record<string, unknown>;
type Change = (claims: Claims) => object;

const DISCOVERY = '/.well-known/openid-configuration';
const now = () => Math.floor(Date.now() / 1000);

let provider: OpenIDProvider;
let service: TestService;

beforeAll(async () => {
  provider = await startOpenIDProvider({ path: '/realms/depot', splitsOrigins: true, scopes: ['moves:read'] });
  service = await startService({
    AUTH_MODE: 'jwt',
    JWT_ISSUER: provider.issuer,
    JWT_AUDIENCE: 'urn:waybill',
    JWT_JWKS_URL: provider.keysUrl,
    CONSOLE_CLIENT_ID: CLIENT_ID,
    CONSOLE_SIGN_IN_PARAMETERS: 'scope=openid profile moves:read',
  });
  provider.register(`${service.url}/console/signed-in`);
});
afterAll(async () => {
  await service.stop();
  await provider.stop();
});
beforeEach(() => {
  provider.forgetPlans();
  provider.setToken(() => undefined);
  provider.seen.length = 0;
});

const tokenRequests = () => provider.seen.filter((request) => request.startsWith('POST'));

/** Signs in until the provider leads back, and loads that page. */
async function comeBack(act: () => void = () => undefined): Promise<SignInPage> {
  const page = await loadSignIn(service.url);
  await page.session.signIn();
  const back = await chooseAtProvider(page, 'ann');
  act();
  const next = await loadSignIn(service.url, page.browser.kept, back);
  await next.session.start();
  return next;
}

/** What the console shows after its first request. */
async function faultAfterRequest({ session, request }: SignInPage): Promise<string | undefined> {
  if (session.state.get() === 'signedIn') {
    const headers = bearer(await session.token());
    await (await request(`${service.url}/v1/moves`, { headers })).text();
  }
  return session.fault.get();
}

function changed(token: unknown, change: Change): string {
  const [head = '', body = '', signature = ''] = String(token).split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Claims;
  const written = Buffer.from(JSON.stringify({ ...claims, ...change(claims) })).toString('base64url');
  return [head, written, signature].join('.');
}

type Act = (of: OpenIDProvider, end: string) => void;
const answer =
  (change: Change): Act =>
  (of, end) =>
    of.plan(end, ({ pass, rewrite }) => {
      rewrite((body) => ({ ...body, ...change(body) }));
      pass();
    });
const token =
  (change: Change): Act =>
  (of) =>
    of.setToken((claims) => Object.assign(claims, change(claims)));
const silence: Act = (of, end) => of.plan(end, ({ response }) => response.destroy());

/** What the provider does wrong, at which endpoint, and what the page says. */
const FAULTS: readonly [what: string, end: string, act: Act, says: RegExp][] = [
  ['is down', DISCOVERY, silence, /does not respond/],
  [
    'has no discovery',
    DISCOVERY,
    (of, end) => of.plan(end, ({ response }) => response.writeHead(404).end()),
    /status 404/,
  ],
  ['is another issuer', DISCOVERY, answer(() => ({ issuer: 'https://other.internal' })), /belongs to another issuer/],
  [
    'names an endpoint that is a script',
    DISCOVERY,
    answer(() => ({ authorization_endpoint: 'javascript:alert(1)' })),
    /not secure/,
  ],
  ['names no token endpoint', DISCOVERY, answer(() => ({ token_endpoint: undefined })), /not secure/],
  ['loses the code', '/token', silence, /does not respond/],
  [
    'redirects the code',
    '/token',
    (of, end) =>
      of.plan(end, ({ response }) => response.writeHead(307, { Location: `${of.otherOrigin}/elsewhere` }).end()),
    /does not respond/,
  ],
  [
    'answers another nonce',
    '/token',
    answer(({ id_token }) => ({ id_token: changed(id_token, () => ({ nonce: 'x' })) })),
    /does not belong to this sign-in/,
  ],
  [
    'answers another client',
    '/token',
    answer(({ id_token }) => ({ id_token: changed(id_token, () => ({ aud: 'x' })) })),
    /does not belong to this sign-in/,
  ],
  ['sends no ID token', '/token', answer(() => ({ id_token: undefined })), /does not belong to this sign-in/],
  [
    'sends a token that says nothing',
    '/token',
    answer(() => ({ access_token: 'opaque' })),
    /not meant for this service/,
  ],
  ['means another audience', '/token', token(() => ({ aud: 'other' })), /does not accept .*"aud"/],
  ['has a clock that is ahead', '/token', token(() => ({ iat: now() + 90 })), /does not accept .*"iat"/],
  ['has a clock that is behind', '/token', token(() => ({ exp: now() - 90 })), /does not accept .*expired/],
];

test.each(FAULTS)('a provider that %s is reported, and asked once', async (_, end, act, says) => {
  if (end === DISCOVERY) {
    act(provider, end);
    const { session } = await loadSignIn(service.url);
    await session.signIn();
    expect(session.fault.get()).toMatch(says);
  } else {
    const page = await comeBack(() => act(provider, end));
    expect(await faultAfterRequest(page)).toMatch(says);
  }
  expect(tokenRequests()).toHaveLength(end === DISCOVERY ? 0 : 1);
  expect(provider.seen.filter((request) => request.includes('elsewhere'))).toEqual([]);
});

test('without a fault, people are let in, and only the provider has seen the code', async () => {
  const page = await comeBack();
  expect([page.session.state.get(), await faultAfterRequest(page)]).toEqual(['signedIn', undefined]);
  expect(tokenRequests()).toEqual(['POST /realms/depot/token']);
});

test('a code is used once, by the tab that asked for it, and the provider refuses it afterwards', async () => {
  const page = await loadSignIn(service.url);
  await page.session.signIn();
  const back = await chooseAtProvider(page, 'ann');
  const asked = new Map(page.browser.kept);
  const states = async (kept: Map<string, string>, at: URL) => {
    const next = await loadSignIn(service.url, kept, at);
    await next.session.start();
    return [next.session.state.get(), next.session.fault.get()];
  };
  const notStarted = ['signedOut', 'This sign-in was not started in this tab. Try again.'];
  expect(await states(new Map(), back)).toEqual(notStarted);
  expect(tokenRequests()).toEqual([]);
  expect(await states(page.browser.kept, back)).toEqual(['signedIn', undefined]);
  expect(await states(page.browser.kept, back)).toEqual(notStarted);
  expect(tokenRequests()).toHaveLength(1);
  // Whoever has copied everything is refused by the provider.
  expect(await states(asked, back)).toEqual(['signedOut', expect.stringContaining('returned no token')]);
});

test('a provider that does not answer in time is reported', async () => {
  const { session } = await loadSignIn(service.url);
  provider.plan(DISCOVERY, () => undefined);
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  await session.signIn();
  timeout.mockRestore();
  expect(session.fault.get()).toMatch(/does not respond/);
});
