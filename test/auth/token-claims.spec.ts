import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { TokenVerifier } from '../../src/auth/token-verifier.js';
import { readConfig } from '../../src/config/read-config.js';
import { Problem } from '../../src/problem/problem.js';
import { AUDIENCE, ISSUER, jwtEnvironment, KeySetServer } from '../support/http/tokens.js';

type Claims = Record<string, unknown>;

const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength });
const good = rsa(2048);
const weak = rsa(1024);
const stranger = rsa(2048);

function jwk(key: KeyObject, more: object = {}): object {
  return { ...key.export({ format: 'jwk' }), ...more };
}

const GOOD = jwk(good.publicKey, { kid: 'good', alg: 'RS256', use: 'sig' });

function token(claims: Claims, key = good.privateKey, kid: string | null = 'good'): string {
  const now = Math.floor(Date.now() / 1000);
  const payload = { iss: ISSUER, aud: AUDIENCE, sub: 'alice', iat: now, exp: now + 300, ...claims };
  const parts = [{ alg: 'RS256', typ: 'at+jwt', ...(kid !== null && { kid }) }, payload];
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${signed}.${createSign('sha256').update(signed).sign(key, 'base64url')}`;
}

const keySets: KeySetServer[] = [];
afterAll(() => Promise.all(keySets.map((keySet) => keySet.stop())));

/** A verifier with a key set of its own, whatever that holds. */
async function verifierOf(...keys: unknown[]): Promise<TokenVerifier> {
  const keySet = await KeySetServer.start();
  keySets.push(keySet);
  keySet.break(200, JSON.stringify({ keys }));
  return new TokenVerifier(readConfig({ ...jwtEnvironment(keySet.url), JWT_LEEWAY_SECONDS: '60' }));
}

async function outcome(verifier: TokenVerifier, written: string): Promise<string> {
  return verifier.verify(written).then(
    ({ subject }) => `accepted ${subject}`,
    (error: unknown) => (error instanceof Problem ? error.code : String(error)),
  );
}

/** A time of the token, to be told when the token is made; the leeway is 60 seconds. */
const inSeconds = (seconds: number) => () => Math.floor(Date.now() / 1000) + seconds;

function claimOf(value: unknown): unknown {
  return typeof value === 'function' ? (value as () => unknown)() : value;
}

const NO_TEXTS = [null, 7, true, [], {}, ['alice'], { name: 'alice' }];
const NO_NUMBERS = [null, true, '', 'soon', '1e12', [], {}, [1e12]];

/** Authors in history that are no callers. */
const OF_OTHERS = [
  'key:0199c3a0-8a10-7b3c-8e52-4d7f9a1b6c20',
  'KEY:0199C3A0-8A10-7B3C-8E52-4D7F9A1B6C20',
  'sql:waybill_owner',
  'anonymous',
  'erased',
  'housekeeping',
  'webhook-delivery',
];

/** Values of each registered claim (RFC 7519, 4.1) that make a token worthless. Undefined leaves the claim out. */
const REFUSED: Record<string, unknown[]> = {
  iss: [...NO_TEXTS, undefined, '', [ISSUER], `${ISSUER}/`, ISSUER.toUpperCase()],
  aud: [...NO_TEXTS, undefined, '', 'other', ['other'], { [AUDIENCE]: true }, [[AUDIENCE]], `${AUDIENCE} other`],
  sub: [...NO_TEXTS, undefined, '', 'x'.repeat(256), 'a\u0000b', 'a\nb', '\u007f', '\ud800', 'a\udc00', ...OF_OTHERS],
  exp: [...NO_NUMBERS, undefined, 0, -1, inSeconds(-120), inSeconds(-86_400)],
  nbf: [...NO_NUMBERS, inSeconds(600), 1e15],
  iat: [...NO_NUMBERS, inSeconds(600), 1e15],
};

/** Their neighbours that are right. `jti` is not looked at. */
const ACCEPTED: Record<string, unknown[]> = {
  iss: [ISSUER],
  aud: [AUDIENCE, [AUDIENCE], ['other', AUDIENCE]],
  sub: ['a', 'x'.repeat(255), 'auth0|5f7c', 'Zoë 😀', 'key:1', 'mysql:ann', 'not-erased'],
  exp: [inSeconds(300), inSeconds(300.5), 1e12, inSeconds(-30)],
  nbf: [undefined, 0, inSeconds(-60), inSeconds(30)],
  iat: [undefined, 0, inSeconds(-60), inSeconds(-60.5), inSeconds(30)],
  jti: [undefined, 'id', 7, null, {}],
};

function rows(table: Record<string, unknown[]>): [claim: string, shown: string, value: unknown][] {
  return Object.entries(table).flatMap(([claim, values]) =>
    values.map((value): [string, string, unknown] => [
      claim,
      (JSON.stringify(claimOf(value)) as string | undefined)?.slice(0, 40) ?? 'left out',
      value,
    ]),
  );
}

let verifier: TokenVerifier;

beforeAll(async () => {
  verifier = await verifierOf(GOOD);
});

test.each(rows(REFUSED))('401 for the claim %s: %s', async (claim, _, value) => {
  expect(await outcome(verifier, token({ [claim]: claimOf(value) }))).toBe('UNAUTHENTICATED');
});

test.each(rows(ACCEPTED))('a token is accepted with the claim %s: %s', async (claim, _, value) => {
  const subject = claim === 'sub' ? String(value) : 'alice';
  expect(await outcome(verifier, token({ [claim]: claimOf(value) }))).toBe(`accepted ${subject}`);
});

const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).publicKey;
const n = (good.publicKey.export({ format: 'jwk' }) as { n: string }).n;

/** Other keys that an issuer may publish next to the signing key, including some that it should not. */
const BESIDE: [string, unknown][] = [
  ['a weak RSA key', jwk(weak.publicKey, { kid: 'weak', alg: 'RS256', use: 'sig' })],
  ['a weak RSA key without kid and use', jwk(weak.publicKey)],
  ['an RSA key for encryption', jwk(stranger.publicKey, { kid: 'enc', use: 'enc' })],
  ['a private key', jwk(stranger.privateKey, { kid: 'private' })],
  ['an RSA key without modulus', { kty: 'RSA', e: 'AQAB' }],
  ['an RSA key without exponent', { kty: 'RSA', n }],
  ['an RSA key of other characters', { kty: 'RSA', n: '!!!', e: 'AQAB' }],
  ['an RSA key of numbers', { kty: 'RSA', n: 7, e: 3 }],
  ['a P-256 key', jwk(ec('P-256'), { kid: 'ec' })],
  ['a P-384 key', jwk(ec('P-384'))],
  ['a P-521 key', jwk(ec('P-521'))],
  ['a secp256k1 key', jwk(ec('secp256k1'))],
  ['a point that is not on the curve', { kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' }],
  ['an unknown curve', { kty: 'EC', crv: 'P-1024', x: 'AAAA', y: 'AAAA' }],
  ['an Ed25519 key', jwk(generateKeyPairSync('ed25519').publicKey)],
  ['an Ed448 key', jwk(generateKeyPairSync('ed448').publicKey)],
  ['an X25519 key', jwk(generateKeyPairSync('x25519').publicKey)],
  ['a shared secret', { kty: 'oct', k: 'c2VjcmV0', kid: 'good', alg: 'HS256' }],
  ['an unknown type', { kty: 'AKP', alg: 'ML-DSA-65', pub: 'AAAA' }],
  ['an empty object', {}],
  ['null', null],
  ['a text', 'key'],
  ['a number', 7],
  ['a list', []],
];

test.each(BESIDE)('%s beside a good key does not keep that from working', async (_, other) => {
  for (const keys of [
    [other, GOOD],
    [GOOD, other],
  ]) {
    const beside = await verifierOf(...keys);
    expect(await outcome(beside, token({}))).toBe('accepted alice');
    expect(await outcome(beside, token({}, stranger.privateKey, 'unknown'))).toBe('UNAUTHENTICATED');
  }
});

test('401 for a token that a weak key signed, as if the key had not been published', async () => {
  const [, published] = BESIDE[0] ?? [];
  for (const keys of [[published], [published, GOOD]]) {
    const beside = await verifierOf(...keys);
    expect(await outcome(beside, token({}, weak.privateKey, 'weak'))).toBe('UNAUTHENTICATED');
  }
  const beside = await verifierOf(published, GOOD);
  expect(await outcome(beside, token({}, good.privateKey, null))).toBe('accepted alice');
});

/** Claims, the variable JWT_SCOPES_CLAIM, and the scopes. */
const SCOPE_CLAIMS: readonly [claims: Claims, claim: string | undefined, scopes: readonly string[]][] = [
  [{ scope: 'moves:read moves:write' }, undefined, ['moves:read', 'moves:write']],
  [{ scp: 'moves:read' }, undefined, ['moves:read']],
  [{ scp: ['moves:read', 7, null] }, undefined, ['moves:read']],
  [{ scope: 'openid', scp: 'moves:read', roles: ['moves:read'] }, undefined, ['openid']],
  [{ scope: 'moves:write', scp: 'moves:write', roles: ['moves:read'] }, 'roles', ['moves:read']],
  [{ scope: 'moves:write', permissions: [] }, 'permissions', []],
  [{ scope: 'moves:write' }, 'permissions', []],
  [
    { 'https://depot.internal/roles': 'moves:read keys:read' },
    'https://depot.internal/roles',
    ['moves:read', 'keys:read'],
  ],
];

test.each(SCOPE_CLAIMS)('the scopes of %j by the claim %s are %j', async (claims, claim, scopes) => {
  const keySet = await KeySetServer.start();
  keySets.push(keySet);
  keySet.break(200, JSON.stringify({ keys: [GOOD] }));
  const environment = { ...jwtEnvironment(keySet.url), ...(claim !== undefined && { JWT_SCOPES_CLAIM: claim }) };
  const { scopes: found } = await new TokenVerifier(readConfig(environment)).verify(token(claims));
  expect([...found]).toEqual(scopes);
});
