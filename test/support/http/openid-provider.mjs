import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import Provider from 'oidc-provider';

export const CLIENT_ID = 'waybill-console';

const PEOPLE = { ann: 'Ann Porter', maya: 'Maya Chen' };

/**
 * oidc-provider, a certified implementation, with the configuration that a product has by default. People choose who they are, without a
 * password.
 */
export async function startOpenIDProvider({
  path = '',
  endsWithSlash = false,
  endpoints = {},
  splitsOrigins = false,
  api = 'urn:waybill',
  isDefaultApi = true,
  requestsApiBy = 'resource',
  scopes,
  scopesOf = () => scopes,
  knowsOnly = scopes,
  tokenSeconds = 3600,
  issuesRefreshTokens = 'always',
  changeToken = () => undefined,
}) {
  const seen = [];
  /** By the end of a path: what is done instead of, or with, the next answers. */
  const plans = new Map();
  const adapter = storeOf(new Map());
  const cookieKey = randomBytes(16).toString('hex');
  const paths = { auth: `${path}/auth`, token: `${path}/token`, jwks: `${path}/jwks`, ...endpoints };
  /** The nonces of sign-ins that asked for `offline_access`. oidc-provider drops it unless people are asked for their consent. */
  const offline = new Set();
  let handler;
  let provider;
  let key = await newKey();
  let redirectUri = 'https://not.registered.internal/';
  const listener = (request, response) => {
    const target = new URL(request.url, 'http://localhost');
    seen.push(`${request.method} ${target.pathname}`);
    const plan = [...plans].find(([end]) => target.pathname.endsWith(end))?.[1];
    const pass = () => handle(request, response);
    if (plan === undefined) pass();
    else plan({ request, response, pass, rewrite: (change) => rewriteJson(response, change) });
  };
  const [server, other] = [createServer(listener), createServer(listener)];
  for (const each of [server, other]) await new Promise((resolve) => each.listen(0, '127.0.0.1', resolve));
  const originOf = (each) => `http://127.0.0.1:${each.address().port}`;
  const issuer = originOf(server) + path + (endsWithSlash ? '/' : '');

  const handle = (request, response) => {
    const target = new URL(request.url, issuer);
    const interaction = /\/interaction\/([^/]+)$/.exec(target.pathname)?.[1];
    if (interaction !== undefined) {
      void choose(request, response, target).catch((error) => response.writeHead(500).end(String(error)));
      return;
    }
    const endpoint = Object.keys(paths).find((name) => paths[name] === target.pathname);
    const route = endpoint === undefined ? target.pathname.slice(path.length) : `/${endpoint}`;
    const search = requestsApiBy === 'audience' ? target.search.replace('audience=', 'resource=') : target.search;
    request.url = route + search;
    request.originalUrl = path + request.url;
    if (route.endsWith('/.well-known/openid-configuration')) {
      rewriteJson(response, (document) => ({
        ...document,
        authorization_endpoint: originOf(server) + paths.auth,
        token_endpoint: originOf(splitsOrigins ? other : server) + paths.token,
        jwks_uri: originOf(server) + paths.jwks,
      }));
    }
    const asked = endpoint === 'auth' ? (target.searchParams.get('scope') ?? '').split(' ') : [];
    if (asked.includes('offline_access')) offline.add(target.searchParams.get('nonce'));
    const unknown = unknownScopes(asked);
    if (unknown.length > 0) refuseScopes(response, target, unknown);
    else handler(request, response);
  };

  /** As Keycloak and Entra do; oidc-provider ignores them. */
  const unknownScopes = (asked) => {
    const known = ['openid', 'profile', 'offline_access', ...knowsOnly];
    return asked.filter((scope) => !known.includes(scope));
  };
  const refuseScopes = (response, { searchParams }, unknown) => {
    const back = new URL(searchParams.get('redirect_uri'));
    const description = `Invalid scopes: ${unknown.join(' ')}`;
    back.search = new URLSearchParams({
      error: 'invalid_scope',
      error_description: description,
      state: searchParams.get('state'),
    }).toString();
    response.writeHead(303, { Location: back.href }).end();
  };

  const choose = async (request, response, { searchParams }) => {
    const person = searchParams.get('person');
    if (person === null) {
      const links = Object.entries(PEOPLE).map(([id, name]) => `<p><a href="?person=${id}">${name}</a></p>`);
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<h1>Who are you?</h1>${links.join('')}`);
      return;
    }
    await provider.interactionFinished(request, response, { login: { accountId: person } });
  };

  const renewProvider = (jwk = key) => {
    key = jwk;
    provider = new Provider(issuer, configuration());
    handler = provider.callback();
  };
  const configuration = () => ({
    jwks: { keys: [key] },
    cookies: { keys: [cookieKey] },
    adapter,
    clients: [
      {
        client_id: CLIENT_ID,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    clientBasedCORS: () => true,
    scopes: ['openid', 'profile', 'offline_access'],
    claims: { profile: ['name'] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, name: PEOPLE[id] }) }),
    issueRefreshToken: (_, __, code) => issuesRefreshTokens === 'always' || offline.has(code.nonce),
    expiresWithSession: () => false,
    ttl: {
      AccessToken: tokenSeconds,
      AuthorizationCode: 60,
      IdToken: 3600,
      Interaction: 600,
      Grant: 86_400,
      Session: 86_400,
      RefreshToken: 86_400,
    },
    interactions: { url: (_, { uid }) => `${issuer.replace(/\/$/, '')}/interaction/${uid}` },
    loadExistingGrant: async (ctx) => {
      const { accountId } = ctx.oidc.session;
      const granted = scopesOf(accountId);
      const refused = scopes.filter((scope) => !granted.includes(scope));
      const grant = new provider.Grant({ clientId: CLIENT_ID, accountId });
      grant.addOIDCScope('openid profile offline_access');
      grant.addResourceScope(api, granted.join(' '));
      if (refused.length > 0) grant.rejectResourceScope(api, refused.join(' '));
      await grant.save();
      return grant;
    },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => (isDefaultApi ? api : undefined),
        // Only the products that name the API in the request want it again.
        useGrantedResource: () => requestsApiBy !== 'resource' || isDefaultApi,
        getResourceServerInfo: () => ({
          audience: api,
          scope: scopes.join(' '),
          accessTokenFormat: 'jwt',
          accessTokenTTL: tokenSeconds,
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    formats: {
      customizers: {
        jwt: (_, token, parts) => {
          parts.payload.name = PEOPLE[token.accountId];
          parts.header = {};
          changeToken(parts.payload, parts.header);
        },
      },
    },
  });

  renewProvider();
  return {
    issuer,
    keysUrl: originOf(server) + paths.jwks,
    otherOrigin: originOf(other),
    register: (uri) => {
      redirectUri = uri;
      renewProvider();
    },
    seen,
    plan: (end, act) => plans.set(end, act),
    forgetPlans: () => plans.clear(),
    token: async (subject, seconds = 3600) =>
      new SignJWT({ scope: scopes.join(' '), exp: Math.floor(Date.now() / 1000) + seconds })
        .setProtectedHeader({ alg: 'ES256', kid: key.kid, typ: 'at+jwt' })
        .setIssuer(issuer)
        .setAudience(api)
        .setSubject(subject)
        .sign(await importJWK(key, 'ES256')),
    rotateKeys: async () => renewProvider(await newKey()),
    setToken: (change) => {
      changeToken = change;
    },
    stop: async () => {
      for (const each of [server, other]) {
        each.closeAllConnections();
        await new Promise((resolve) => each.close(resolve));
      }
    },
  };
}

/** What a provider remembers, also when its keys change. */
function storeOf(records) {
  return (model) => {
    const nameOf = (id) => `${model} ${id}`;
    const find = async (id) => records.get(nameOf(id));
    return {
      find,
      findByUid: async (uid) => [...records.values()].find((record) => record.kind === model && record.uid === uid),
      upsert: async (id, record) => void records.set(nameOf(id), record),
      destroy: async (id) => void records.delete(nameOf(id)),
      consume: async (id) => {
        const record = await find(id);
        record.consumed = Math.floor(Date.now() / 1000);
      },
      revokeByGrantId: async (grantId) => {
        for (const [name, record] of records) if (record.grantId === grantId) records.delete(name);
      },
    };
  };
}

async function newKey() {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: randomBytes(6).toString('hex'), alg: 'ES256', use: 'sig' };
}

/** Changes the JSON of an answer before it is sent. */
function rewriteJson(response, change) {
  const end = response.end.bind(response);
  response.end = (body) => {
    const text = JSON.stringify(change(JSON.parse(String(body))));
    response.setHeader('Content-Length', Buffer.byteLength(text));
    return end(text);
  };
}
