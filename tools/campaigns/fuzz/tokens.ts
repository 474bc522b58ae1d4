import { newKey, signToken, type Claims, type SigningKey } from '../../../test/support/http/tokens.js';

/** Of several scopes, any is enough. */
const ANY_OF = ['shipments:read moves:read'];

const SCOPES = ['moves:read', 'moves:write', 'shipments:read', 'shipments:write', 'shipments:status'];

/** Values of Authorization of every kind, made once: signing takes longer than a request. */
export interface Tokens {
  readonly refused: readonly string[];
  /** Good, but without this scope, or without any of these. */
  readonly without: ReadonlyMap<string, string>;
  readonly withAll: string;
}

const NO_TOKENS = ['Bearer', 'Bearer x', 'Basic YTpi', 'Bearer a.b.c', 'Token x', 'bearer null', 'x'];
const BAD_CLAIMS: Claims[] = [
  { expires: -60 },
  { audience: 'another' },
  { issuer: 'https://another.example' },
  { notBefore: 600 },
];
const LONG = { expires: 86_400 };

export async function makeTokens(key: SigningKey): Promise<Tokens> {
  const scope = SCOPES.join(' ');
  const bad = await Promise.all(BAD_CLAIMS.map((claims) => signToken(key, { scope, ...claims })));
  const stranger = await signToken(await newKey(key.kid), { scope, ...LONG });
  const good = await signToken(key, { scope, ...LONG });
  const [head = '', payload = '', signature = ''] = good.split('.');
  const unsigned = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
  const forged = [stranger, `${head}.${payload}.`, `${unsigned}.${payload}.`, `${head}.e30.${signature}`];
  const without = [...SCOPES, ...ANY_OF].map(async (one) => {
    const others = SCOPES.filter((other) => !one.split(' ').includes(other)).join(' ');
    return [one, `Bearer ${await signToken(key, { scope: others, ...LONG })}`] as const;
  });
  return {
    refused: [...NO_TOKENS, ...[...bad, ...forged].map((token) => `Bearer ${token}`)],
    without: new Map(await Promise.all(without)),
    withAll: `Bearer ${good}`,
  };
}
