import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export const AUDIENCE = 'waybill';
export const CLIENT_ID = 'waybill-console';
const ALL_SCOPES =
  'moves:read moves:write shipments:read shipments:write shipments:status webhooks:read webhooks:write';

/**
 * An OpenID Connect issuer for demos and tests, on this machine only: users choose who they want to be, without a password. Codes are
 * bound to their PKCE challenge, as required for public clients.
 */
export async function startIssuer(people, tokenSeconds = 3600) {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'demo', alg: 'ES256', use: 'sig' };
  const codes = new Map();
  const refreshTokens = new Map();
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;

  const token = (name) =>
    new SignJWT({ name, scope: ALL_SCOPES })
      .setProtectedHeader({ alg: 'ES256', kid: 'demo', typ: 'at+jwt' })
      .setSubject(name.toLowerCase().replaceAll(' ', '.'))
      .setIssuer(url)
      .setAudience(AUDIENCE)
      .setIssuedAt()
      .setExpirationTime(`${tokenSeconds}s`)
      .sign(privateKey);

  const grant = async (form) => {
    const isRenewal = form.get('grant_type') === 'refresh_token';
    const known = isRenewal ? refreshTokens : codes;
    const key = form.get(isRenewal ? 'refresh_token' : 'code');
    const found = known.get(key);
    known.delete(key);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (found === undefined || (!isRenewal && found.challenge !== challenge)) return [400, { error: 'invalid_grant' }];
    const refresh = randomUUID();
    refreshTokens.set(refresh, found);
    const tokens = { access_token: await token(found.name), refresh_token: refresh };
    return [200, { ...tokens, token_type: 'Bearer', expires_in: tokenSeconds }];
  };

  const answers = {
    '/.well-known/openid-configuration': () => [
      200,
      {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/keys`,
      },
    ],
    '/keys': () => [200, { keys: [jwk] }],
    '/authorize': ({ searchParams }) => [200, choicePage(people, searchParams)],
    '/choose': ({ searchParams }) => {
      const code = randomUUID();
      codes.set(code, { name: searchParams.get('person'), challenge: searchParams.get('code_challenge') });
      const back = new URL(searchParams.get('redirect_uri'));
      back.search = new URLSearchParams({ code, state: searchParams.get('state') }).toString();
      return [302, back.href];
    },
  };

  server.on('request', async (request, response) => {
    const target = new URL(request.url, url);
    let [status, body] = [404, { error: 'not_found' }];
    if (target.pathname === '/token' && request.method === 'POST') {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      [status, body] = await grant(new URLSearchParams(Buffer.concat(chunks).toString()));
    } else if (Object.hasOwn(answers, target.pathname)) [status, body] = answers[target.pathname](target);
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (status === 302) response.writeHead(302, { Location: body }).end();
    else if (typeof body === 'string')
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(body);
    else response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });

  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, keysUrl: `${url}/keys`, token, stop };
}

function choicePage(people, parameters) {
  const links = people.map((person) => {
    const query = new URLSearchParams([...parameters, ['person', person]]);
    return `<p><a href="/choose?${query.toString().replaceAll('&', '&amp;')}">${person}</a></p>`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>Sign in</title></head>
<body><main><h1>Who are you today?</h1>${links.join('\n')}<p>This issuer is part of the demonstration. It asks for no password.</p></main></body></html>`;
}
