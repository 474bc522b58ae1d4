import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { startOpenIDProvider, type ProviderOptions } from '../../support/http/openid-provider.mjs';
import { describeInBrowser } from '../../support/repository/browser.js';
import { ALL_SCOPES, ConsoleWorld } from './harness.js';

type Settings = Record<string, string>;

const SCOPES = ALL_SCOPES.split(' ');

/** The settings of docs/operations.md, by the product in their first line. */
const DOCUMENTED = new Map(
  [...readFileSync('docs/operations.md', 'utf8').matchAll(/```sh\n# (\w+)\n([^]*?)```/g)].map(
    ([, product = '', lines = '']) => [product, parseEnv(lines) as Settings] as const,
  ),
);

/** How each product differs. */
const PRODUCTS: readonly [product: string, alike: (settings: Settings) => Partial<ProviderOptions>][] = [
  [
    'keycloak',
    ({ JWT_AUDIENCE: aud }) => ({ scopes: SCOPES, changeToken: (claims) => Object.assign(claims, { aud }) }),
  ],
  [
    'entra',
    ({ JWT_AUDIENCE: aud }) => ({
      api: 'api://waybill',
      scopes: ['api://waybill/access'],
      issuesRefreshTokens: 'offline_access',
      changeToken: (claims, header) => {
        delete claims['scope'];
        Object.assign(claims, { aud, ver: '2.0', scp: 'access', roles: SCOPES });
        header['typ'] = 'JWT';
      },
    }),
  ],
  [
    'auth0',
    ({ JWT_AUDIENCE: api = '', JWT_NAME_CLAIM: name = '' }) => ({
      api,
      isDefaultApi: false,
      requestsApiBy: 'audience',
      scopes: SCOPES,
      issuesRefreshTokens: 'offline_access',
      changeToken: (claims) => {
        claims[name] = claims['name'];
        delete claims['name'];
        Object.assign(claims, { scope: 'openid profile offline_access', permissions: SCOPES });
      },
    }),
  ],
  ['resource', ({ JWT_AUDIENCE: api = '' }) => ({ api, isDefaultApi: false, scopes: SCOPES })],
];

describeInBrowser('the documented settings of', () => {
  test('each product are tried', () => {
    expect([...DOCUMENTED.keys()]).toEqual(PRODUCTS.map(([product]) => product));
  });

  test.each(PRODUCTS)('%s let people in, with their names and scopes, and renew tokens', async (product, alike) => {
    const settings = DOCUMENTED.get(product) ?? {};
    const { JWT_ISSUER = '', JWT_JWKS_URL = '' } = settings;
    const issuer = new URL(JWT_ISSUER);
    const provider = await startOpenIDProvider({
      path: issuer.pathname.replace(/\/$/, ''),
      endsWithSlash: JWT_ISSUER.endsWith('/'),
      keysPath: new URL(JWT_JWKS_URL).pathname,
      scopes: SCOPES,
      ...alike(settings),
    });
    const local = (url: string) => url.replace(issuer.origin, new URL(provider.issuer).origin);
    const world = await ConsoleWorld.start({
      ...settings,
      JWT_ISSUER: local(JWT_ISSUER),
      JWT_JWKS_URL: local(JWT_JWKS_URL),
    });
    try {
      expect(provider.issuer).toBe(local(JWT_ISSUER));
      provider.register(`${world.service.url}/console/signed-in`);
      const page = await world.tab(await world.context());
      await page.goto(`${world.service.url}/console/moves`);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('link', { name: 'Ann Porter' }).click();
      await page.getByRole('button', { name: 'Ann Porter' }).waitFor();
      // Renewed, because the service refuses this request.
      await page.route(
        '**/v1/moves',
        (route, request) => route.continue({ headers: { ...request.headers(), authorization: 'Bearer x.y.z' } }),
        { times: 1 },
      );
      await page.getByRole('link', { name: 'New move' }).click();
      await page.getByRole('button', { name: 'Create', exact: false }).last().click();
      await page.getByText('Ann Porter').nth(1).waitFor();
      expect(provider.seen.filter((request) => request.startsWith('POST'))).toHaveLength(2);
      expect(await world.leave()).toEqual([]);
    } finally {
      await world.stop();
      await provider.stop();
    }
  });
});
