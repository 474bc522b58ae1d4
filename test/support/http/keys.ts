import { startService, type TestService } from '../service/service.js';
import type { Api, Json } from './api.js';
import { bearer, jwtEnvironment, KeySetServer, newKey, signToken, type Claims } from './tokens.js';

/** A service that accepts tokens and API keys. */
export interface ServiceWithKeys {
  readonly service: TestService;
  /** A token with these claims. */
  signed(claims: Claims): Promise<string>;
  /** Calls it with a token with these scopes. */
  withToken(scope: string, subject?: string): Promise<Api>;
  /** Creates a key as somebody who has all its scopes. */
  createKey(fields: { scopes: readonly string[]; name?: string; expiresAt?: string }): Promise<Json>;
  /** Calls it with a key that has these scopes. */
  withKey(...scopes: string[]): Promise<Api>;
}

export function useServiceWithKeys(environment?: Record<string, string>): ServiceWithKeys {
  const service = {} as TestService;
  let signing: Awaited<ReturnType<typeof newKey>>;
  let keySet: KeySetServer;
  beforeAll(async () => {
    signing = await newKey('only');
    keySet = await KeySetServer.start(signing);
    const settings = { ...jwtEnvironment(keySet.url), AUTH_MODE: 'jwt,keys', ...environment };
    Object.assign(service, await startService(settings));
  });
  afterAll(async () => {
    await service.stop();
    await keySet.stop();
  });
  const withToken = async (scope: string, subject = 'admin-1') => {
    return service.api.as(bearer(await signToken(signing, { scope, subject })));
  };
  const createKey: ServiceWithKeys['createKey'] = async ({ scopes, name = 'Carrier North', expiresAt }) => {
    const api = await withToken(`keys:write keys:read ${scopes.join(' ')}`);
    const { status, body } = await api.post('/v1/keys', {
      name,
      scopes,
      ...(expiresAt !== undefined && { expiresAt }),
    });
    if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const signed = (claims: Claims) => signToken(signing, claims);
  const withKey = async (...scopes: string[]) => service.api.as(bearer((await createKey({ scopes })).key));
  return { service, signed, withToken, createKey, withKey };
}
