import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Json } from '../support/http/api.js';
import { startOpenIDProvider, type ProviderOptions } from '../support/http/openid-provider.mjs';
import { expectProblem } from '../support/http/problem.js';
import { bearer } from '../support/http/tokens.js';
import { startService } from '../support/service/service.js';
import { loadSignIn, signIn } from './sign-in-page.js';

type Settings = Record<string, string>;

/** The settings of docs/operations.md, by the product in their first line. */
const DOCUMENTED = new Map(
  [...readFileSync('docs/operations.md', 'utf8').matchAll(/```sh\n# (\w+)\n([^]*?)```/g)].map(
    ([, product = '', lines = '']) => [product, parseEnv(lines) as Settings] as const,
  ),
);

const SCOPES = [
  'moves:read',
  'moves:write',
  'shipments:read',
  'shipments:write',
  'shipments:status',
  'webhooks:read',
  'webhooks:write',
];
/** Maya may look at moves, and do nothing else. */
const scopesOf = (person: unknown) => (person === 'maya' ? ['moves:read'] : SCOPES);

/** How the provider differs in each product. */
const PRODUCTS: readonly [product: string, alike: (settings: Settings) => Partial<ProviderOptions>][] = [
  [
    'keycloak',
    ({ JWT_AUDIENCE: aud }) => ({
      endpoints: {
        auth: '/realms/depot/protocol/openid-connect/auth',
        token: '/realms/depot/protocol/openid-connect/token',
      },
      scopesOf,
      changeToken: (claims, header) => {
        const scope = `openid profile ${String(claims['scope'])}`;
        Object.assign(claims, { aud: [aud, 'account'], azp: claims['client_id'], typ: 'Bearer', scope });
        header['typ'] = 'JWT';
      },
    }),
  ],
  [
    'entra',
    ({ JWT_AUDIENCE: aud, JWT_ISSUER = '' }) => {
      const tenant = new URL(JWT_ISSUER).pathname.replace('/v2.0', '');
      return {
        endpoints: { auth: `${tenant}/oauth2/v2.0/authorize`, token: `${tenant}/oauth2/v2.0/token` },
        api: 'api://waybill',
        scopes: ['api://waybill/access'],
        issuesRefreshTokens: 'offline_access',
        changeToken: (claims, header) => {
          delete claims['scope'];
          const roles = scopesOf(claims['sub']);
          Object.assign(claims, { aud, azp: claims['client_id'], ver: '2.0', scp: 'access', roles });
          header['typ'] = 'JWT';
        },
      };
    },
  ],
  [
    'auth0',
    ({ JWT_AUDIENCE: api = '', JWT_NAME_CLAIM: name = '' }) => ({
      endpoints: { auth: '/authorize', token: '/oauth/token' },
      api,
      isDefaultApi: false,
      requestsApiBy: 'audience',
      issuesRefreshTokens: 'offline_access',
      changeToken: (claims, header) => {
        claims[name] = claims['name'];
        delete claims['name'];
        const aud = [api, `${String(claims['iss'])}userinfo`];
        const permissions = scopesOf(claims['sub']);
        Object.assign(claims, { aud, azp: claims['client_id'], scope: 'openid profile offline_access', permissions });
        header['typ'] = 'JWT';
      },
    }),
  ],
  ['resource', ({ JWT_AUDIENCE: api = '' }) => ({ api, isDefaultApi: false, scopesOf })],
];

/** A provider like the product, and the service with the documented settings. */
async function startBoth(product: string, alike: (settings: Settings) => Partial<ProviderOptions>) {
  const settings = DOCUMENTED.get(product) ?? {};
  const { JWT_ISSUER = '', JWT_JWKS_URL = '' } = settings;
  const issuer = new URL(JWT_ISSUER);
  const { endpoints, ...others } = alike(settings);
  const provider = await startOpenIDProvider({
    path: issuer.pathname.replace(/\/$/, ''),
    endsWithSlash: JWT_ISSUER.endsWith('/'),
    endpoints: { ...endpoints, jwks: new URL(JWT_JWKS_URL).pathname },
    scopes: SCOPES,
    ...others,
  });
  const local = (url: string) => url.replace(issuer.origin, new URL(provider.issuer).origin);
  expect(provider.issuer).toBe(local(JWT_ISSUER));
  const service = await startService({
    ...settings,
    JWT_ISSUER: local(JWT_ISSUER),
    JWT_JWKS_URL: local(JWT_JWKS_URL),
  });
  provider.register(`${service.url}/console/signed-in`);
  const stop = async () => {
    await service.stop();
    await provider.stop();
  };
  return { provider, service, stop };
}

test('the document has settings for each of these products', () => {
  expect([...DOCUMENTED.keys()]).toEqual(PRODUCTS.map(([product]) => product));
});

test.each(PRODUCTS)(
  'the documented settings of %s let people in with their names and scopes, and renew their tokens',
  async (product, alike) => {
    const { service, stop } = await startBoth(product, alike);
    try {
      const page = await loadSignIn(service.url);
      const ann = await signIn(page, 'ann');
      expect(page.identityOf(ann.access)?.name).toBe('Ann Porter');
      expect([...(page.identityOf(ann.access)?.scopes ?? [])]).toEqual(expect.arrayContaining(SCOPES));
      const api = service.api.as(bearer(ann.access));
      const { status, body: move } = await api.post('/v1/moves', {});
      expect(status).toBe(201);
      const path = `/v1/moves/${move.id}`;
      expect((await api.get(path)).body).toEqual(move);
      expect((await api.patch(path, move.eTag, { remarks: 'Call first' })).status).toBe(200);
      const { body: history } = await api.get<Json[]>(`${path}/history`);
      expect(history.map(({ changedBy, subject }) => [changedBy, subject])).toEqual([
        ['Ann Porter', 'ann'],
        ['Ann Porter', 'ann'],
      ]);

      const renewed = await page.oidc.renewTokens(ann.refresh ?? '');
      expect(renewed.access).not.toBe(ann.access);
      expect((await service.api.patch(path, '*', { remarks: null }, bearer(renewed.access))).status).toBe(200);

      const maya = service.api.as(bearer((await signIn(page, 'maya')).access));
      expect((await maya.get(path)).status).toBe(200);
      const { missingScope } = expectProblem(await maya.patch(path, '*', { remarks: 'x' }), 403, 'FORBIDDEN');
      expect(missingScope).toBe('moves:write');
      expectProblem(await maya.get('/v1/shipments'), 403, 'FORBIDDEN');

      const configured = page.settings.signIn;
      if (configured?.parameters === undefined) return;
      // They are needed: without them, a sign-in fails or gives a token for something else.
      delete configured.parameters;
      const access = await signIn(page, 'ann').then(
        (tokens) => tokens.access,
        () => 'none',
      );
      expect(page.identityOf(access)).toBeUndefined();
      expectProblem(await service.api.get(path, bearer(access)), 401, 'UNAUTHENTICATED');
    } finally {
      await stop();
    }
  },
);
