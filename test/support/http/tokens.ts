import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { startService, type TestService } from '../service/service.js';
import type { Api } from './api.js';

export const ISSUER = 'https://issuer.example';
export const AUDIENCE = 'waybill-test';

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

/** Making an RSA key takes a third of a second of CPU time; test/auth/token-claims.spec.ts verifies such tokens. */
export async function newKey(kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}

export interface Claims {
  readonly issuer?: string;
  readonly audience?: string;
  readonly subject?: string;
  readonly scope?: unknown;
  readonly type?: string;
  /** Seconds from now. */
  readonly expires?: number;
  readonly notBefore?: number;
  /** Any others. */
  readonly claims?: Record<string, unknown>;
}

export function signToken(key: SigningKey, claims: Claims = {}): Promise<string> {
  const { issuer = ISSUER, audience = AUDIENCE, subject = 'dispatcher-7', scope = '', type = 'at+jwt' } = claims;
  const now = Math.floor(Date.now() / 1000);
  const token = new SignJWT({ scope, ...claims.claims })
    .setProtectedHeader({ alg: 'ES256', kid: key.kid, typ: type })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(now + (claims.expires ?? 3600));
  if (subject !== '') token.setSubject(subject);
  if (claims.notBefore !== undefined) token.setNotBefore(now + claims.notBefore);
  return token.sign(key.privateKey);
}

export function bearer(token: string): { Authorization: string } {
  return { Authorization: `Bearer ${token}` };
}

/** A key set server whose keys can change and that can fail. */
export class KeySetServer {
  requests = 0;
  private answer: () => { status: number; body: string } = () => ({ status: 200, body: '{"keys":[]}' });

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(...keys: SigningKey[]): Promise<KeySetServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const keySet = new KeySetServer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`);
    server.on('request', (_, response) => {
      keySet.requests += 1;
      const { status, body } = keySet.answer();
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
    });
    keySet.publish(...keys);
    return keySet;
  }

  publish(...keys: SigningKey[]): void {
    this.answer = () => ({ status: 200, body: JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }) });
  }

  break(status: number, body: string): void {
    this.answer = () => ({ status, body });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export function jwtEnvironment(url: string): Record<string, string> {
  return { AUTH_MODE: 'jwt', JWT_ISSUER: ISSUER, JWT_AUDIENCE: AUDIENCE, JWT_JWKS_URL: url };
}

/** A service that requires tokens, and what signs them. */
export interface SecuredService {
  readonly service: TestService;
  readonly key: SigningKey;
  readonly keySet: KeySetServer;
  /** Calls it with a token that has these claims. */
  as(claims: Claims): Promise<Api>;
}

/** Starts such a service before the tests of a spec and stops it after them. */
export function useSecuredService(environment?: Record<string, string>): SecuredService {
  const service = {} as TestService;
  const key = {} as SigningKey;
  const as = async (claims: Claims) => service.api.as(bearer(await signToken(key, claims)));
  const secured = { service, key, as } as SecuredService & { keySet: KeySetServer };
  beforeAll(async () => {
    Object.assign(key, await newKey('only'));
    secured.keySet = await KeySetServer.start(key);
    Object.assign(service, await startService({ ...jwtEnvironment(secured.keySet.url), ...environment }));
  });
  afterAll(async () => {
    await service.stop();
    await secured.keySet.stop();
  });
  return secured;
}
