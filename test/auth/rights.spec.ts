import { readFileSync } from 'node:fs';
import { newKey } from '../../src/auth/key-text.js';
import { SCOPES } from '../../src/auth/scopes.js';
import { cursorOf } from '../../src/records/paging.js';
import { useServiceWithKeys } from '../support/http/keys.js';
import { exchange } from '../support/http/plain-http.js';
import { newKey as newSigningKey, signToken } from '../support/http/tokens.js';
import { UNKNOWN_ID } from '../support/records/records.js';

/** The proxy is 127.0.0.1; whoever comes from 127.0.0.2 is not. */
const { service, createKey, signed } = useServiceWithKeys({
  AUTH_MODE: 'jwt,keys,proxy',
  TRUSTED_PROXIES: '127.0.0.1',
  AUTH_PROXY_SUBJECT_HEADER: 'X-Forwarded-User',
  AUTH_PROXY_SCOPES_HEADER: 'X-Forwarded-Groups',
});
const PROXY = '127.0.0.1';
const ELSEWHERE = '127.0.0.2';

interface Operation {
  readonly route: string;
  readonly method: string;
  readonly path: string;
  /** One of these is required; none is for public operations. */
  readonly scopes: readonly string[];
}

interface DocumentedOperation {
  readonly 'x-scope'?: string | readonly string[];
}

const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, DocumentedOperation>>;
};

const OPERATIONS: readonly Operation[] = Object.entries(paths).flatMap(([path, item]) => {
  return Object.entries(item)
    .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
    .map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+ID\}/g, UNKNOWN_ID).replace('{code}', 'NOT_FOUND'),
      scopes: [operation['x-scope'] ?? []].flat(),
    }));
});

type Headers = Record<string, string | string[]>;
type Credentials = (scopes: readonly string[]) => Headers | Promise<Headers>;

interface Caller {
  readonly credentials: Credentials;
  readonly address?: string;
  /** Whether the service knows the caller; everybody else gets 401, whatever the scopes. */
  readonly isKnown: boolean;
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const token =
  (claims: object = {}) =>
  async (scopes: readonly string[]) => {
    return bearer(await signed({ scope: scopes.join(' '), ...claims }));
  };

/** A key that all routes use. */
const keys = new Map<string, string>();
async function keyWith(scopes: readonly string[]): Promise<string> {
  // A key has at least one scope.
  const key = keys.get(scopes.join()) ?? (await createKey({ scopes })).key;
  keys.set(scopes.join(), key);
  return key;
}
const changed = (change: (key: string) => string) => async (scopes: readonly string[]) =>
  bearer(change(await keyWith(scopes)));

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

const proxied = (headers: Headers) => (scopes: readonly string[]) => ({
  'X-Forwarded-Groups': scopes.join(),
  ...headers,
});

const ANN = { 'X-Forwarded-User': 'ann-7' };

const CALLERS: Record<string, Caller> = {
  nobody: { credentials: () => ({}), isKnown: false },
  'somebody with another scheme': { credentials: () => ({ Authorization: 'Basic YTpi' }), isKnown: false },
  'a token': { credentials: token(), isKnown: true },
  'an expired token': { credentials: token({ expires: -60 }), isKnown: false },
  'a token that is not valid yet': { credentials: token({ notBefore: 60 }), isKnown: false },
  'a token of another issuer': { credentials: token({ issuer: 'https://other.example' }), isKnown: false },
  'a token for another service': { credentials: token({ audience: 'other' }), isKnown: false },
  'a token with the subject of a key': { credentials: token({ subject: `key:${UNKNOWN_ID}` }), isKnown: false },
  'a forged token': {
    credentials: async (scopes) => bearer(await signToken(await newSigningKey('only'), { scope: scopes.join(' ') })),
    isKnown: false,
  },
  'a cut token': {
    credentials: async (scopes) => bearer((await signed({ scope: scopes.join(' ') })).slice(0, -1)),
    isKnown: false,
  },
  'a key': { credentials: changed((key) => key), isKnown: true },
  'an expired key': { credentials: () => bearer(keys.get('expired') ?? ''), isKnown: false },
  'a revoked key': { credentials: () => bearer(keys.get('revoked') ?? ''), isKnown: false },
  'an unknown key': { credentials: () => bearer(newKey()), isKnown: false },
  'a mistyped key': {
    credentials: changed((key) => `${key.slice(0, 9)}${key[9] === 'a' ? 'b' : 'a'}${key.slice(10)}`),
    isKnown: false,
  },
  'a cut key': { credentials: changed((key) => key.slice(0, -1)), isKnown: false },
  'a key with a longer end': { credentials: changed((key) => `${key}0`), isKnown: false },
  'a key in the other case': { credentials: changed(swapCase), isKnown: false },
  'a key of another service': { credentials: () => bearer('ghp_16C7e42F292c6912E7710c838347Ae178B4a'), isKnown: false },
  'the proxy': { credentials: proxied(ANN), isKnown: true },
  'the proxy without a subject': { credentials: proxied({}), isKnown: false },
  'the proxy with an empty subject': { credentials: proxied({ 'X-Forwarded-User': '' }), isKnown: false },
  'the proxy with two subjects': { credentials: proxied({ 'X-Forwarded-User': ['ann-7', 'boss'] }), isKnown: false },
  'the proxy with the subject of a key': {
    credentials: proxied({ 'X-Forwarded-User': `key:${UNKNOWN_ID}` }),
    isKnown: false,
  },
  'somebody else with the headers of the proxy': { credentials: proxied(ANN), address: ELSEWHERE, isKnown: false },
  'somebody who says to come from the proxy': {
    credentials: proxied({ ...ANN, 'X-Forwarded-For': PROXY, Forwarded: `for=${PROXY}`, 'X-Real-IP': PROXY }),
    address: ELSEWHERE,
    isKnown: false,
  },
  'a wrong token beside the headers of the proxy': {
    credentials: proxied({ ...ANN, ...bearer('x.y.z') }),
    isKnown: false,
  },
  'a token of somebody else than the proxy': { credentials: token(), address: ELSEWHERE, isKnown: true },
};

beforeAll(async () => {
  const [expired, revoked] = [await createKey({ scopes: SCOPES }), await createKey({ scopes: SCOPES })];
  await service.sql.query('UPDATE keys SET expires_at = now() WHERE id = $1', [expired.id]);
  await service.sql.query('DELETE FROM keys WHERE id = $1', [revoked.id]);
  keys.set('expired', expired.key).set('revoked', revoked.key);
});

async function statusOf(
  { method, path }: Operation,
  { credentials, address = PROXY }: Caller,
  scopes: readonly string[],
) {
  const isFile = method === 'POST' && path === '/v1/imports';
  const body = isFile ? 'shipmentType\nHHG' : '{"types":[],"scopes":[]}';
  const type = isFile ? 'text/csv' : 'application/json';
  const headers = {
    // A stream would never end, so a cursor that it rejects is sent.
    'Last-Event-ID': cursorOf('1.0000000000000000'),
    'If-Match': '*',
    ...(['POST', 'PUT', 'PATCH'].includes(method) && { 'Content-Type': type }),
    ...(await credentials(scopes)),
  };
  const sent = ['POST', 'PUT', 'PATCH'].includes(method) ? body : undefined;
  return (await exchange(service.url + path, { method, headers, localAddress: address }, sent)).status;
}

function outcomeOf(status: number): 401 | 403 | 'admitted' {
  return status === 401 || status === 403 ? status : 'admitted';
}

test('the document has every operation with its scope', () => {
  expect(OPERATIONS.length).toBeGreaterThan(50);
  const known = OPERATIONS.flatMap(({ scopes }) => scopes);
  expect([...new Set(known)].sort()).toEqual([...SCOPES].sort());
});

test.each(Object.entries(CALLERS))('%s gets what the document says, from every operation', async (_, caller) => {
  const differences: unknown[] = [];
  for (const operation of OPERATIONS) {
    const { route, scopes } = operation;
    const isPublic = scopes.length === 0;
    const others = SCOPES.filter((scope) => !scopes.includes(scope));
    // Of somebody unknown the scopes do not count, so the widest are claimed.
    const rows: [readonly string[], 401 | 403 | 'admitted'][] = caller.isKnown
      ? [...scopes.map((scope): [string[], 'admitted'] => [[scope], 'admitted']), [others, isPublic ? 'admitted' : 403]]
      : [[SCOPES, isPublic ? 'admitted' : 401]];
    for (const [held, wanted] of rows) {
      const found = outcomeOf(await statusOf(operation, caller, held));
      if (found !== wanted) differences.push({ route, held, wanted, found });
    }
  }
  expect(differences).toEqual([]);
});
