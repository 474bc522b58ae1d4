import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { SCOPES } from '../../dist/src/auth/scopes.js';

export const AUDIENCE = 'waybill';
export const CLIENT_ID = 'waybill-console';

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
    new SignJWT({ name, scope: SCOPES.join(' ') })
      .setProtectedHeader({ alg: 'ES256', kid: 'demo', typ: 'at+jwt' })
      .setSubject(subjectOf(name))
      .setIssuer(url)
      .setAudience(AUDIENCE)
      .setIssuedAt()
      .setExpirationTime(`${tokenSeconds}s`)
      .sign(privateKey);

  const identity = ({ name, nonce }) =>
    new SignJWT({ name, nonce })
      .setProtectedHeader({ alg: 'ES256', kid: 'demo' })
      .setSubject(subjectOf(name))
      .setIssuer(url)
      .setAudience(CLIENT_ID)
      .setIssuedAt()
      .setExpirationTime('1h')
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
    const tokens = { access_token: await token(found.name), id_token: await identity(found), refresh_token: refresh };
    return [200, { ...tokens, token_type: 'Bearer', expires_in: tokenSeconds }];
  };

  const signedInAs = (name, parameters) => {
    const code = randomUUID();
    codes.set(code, { name, challenge: parameters.get('code_challenge'), nonce: parameters.get('nonce') });
    const back = new URL(parameters.get('redirect_uri'));
    back.search = new URLSearchParams({ code, state: parameters.get('state') }).toString();
    return back.href;
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
    '/authorize': ({ searchParams }, known) =>
      known === undefined || searchParams.has('prompt')
        ? [200, choicePage(people, searchParams)]
        : [302, signedInAs(known, searchParams)],
    '/choose': ({ searchParams }) => {
      const person = searchParams.get('person');
      return [302, signedInAs(person, searchParams), { 'Set-Cookie': cookieOf(person) }];
    },
  };

  server.on('request', async (request, response) => {
    const target = new URL(request.url, url);
    let [status, body, headers = {}] = [404, { error: 'not_found' }];
    if (target.pathname === '/token' && request.method === 'POST') {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      [status, body] = await grant(new URLSearchParams(Buffer.concat(chunks).toString()));
    } else if (Object.hasOwn(answers, target.pathname)) {
      const known = people.find((person) => request.headers.cookie?.includes(cookieOf(person).split(';')[0]));
      [status, body, headers = {}] = answers[target.pathname](target, known);
    }
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (status === 302) response.writeHead(302, { Location: body, ...headers }).end();
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

function subjectOf(name) {
  return name.toLowerCase().replaceAll(' ', '.');
}

/** Remembers who somebody chose to be, so that a reload does not ask again. */
function cookieOf(person) {
  return `waybill-demo=${encodeURIComponent(person)}; Path=/; HttpOnly; SameSite=Lax`;
}

const STYLE = `
  :root { color-scheme: light dark; }
  body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#f4f6f8, #12181f); color: light-dark(#17202b, #e8edf2); }
  main { max-width: 26rem; margin: 12vh auto; padding: 2rem; border-radius: 12px; background: light-dark(#fff, #1b232c);
    box-shadow: 0 8px 30px rgb(0 0 0 / 12%); }
  h1 { margin: 0 0 1rem; font-size: 1.5rem; }
  a { display: block; margin: 0.5rem 0; padding: 0.7rem 1rem; border: 1px solid light-dark(#b9c4cf, #46535f); border-radius: 8px;
    color: inherit; font-weight: 600; text-decoration: none; }
  a:hover, a:focus-visible { border-color: light-dark(#195a8c, #7fb8e6); background: light-dark(#e8f1f8, #22303c); }
  p { color: light-dark(#55616d, #a5b1bd); font-size: 0.92rem; }`;

function choicePage(people, parameters) {
  const links = people.map((person) => {
    const query = new URLSearchParams([...parameters, ['person', person]]);
    return `<a href="/choose?${query.toString().replaceAll('&', '&amp;')}">${person}</a>`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Sign in</title><style>${STYLE}</style></head>
<body><main><h1>Who are you today?</h1>${links.join('\n')}<p>This sign-in is part of the demonstration. It asks for no password.</p></main></body></html>`;
}
