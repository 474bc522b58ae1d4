import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import type { Config } from '../config/config.js';
import type { Caller } from '../http/request-context.js';
import { Problem, unavailable } from '../problem/problem.js';
import { isNameable, isSubject } from './subjects.js';
import { unauthenticated } from './unauthenticated.js';
import { fetchUsableKeys } from './usable-keys.js';

/** Access tokens and plain JWTs. An identity provider's other tokens (logout, proof) must not be used to call an API. */
const TOKEN_TYPES = ['jwt', 'at+jwt', 'application/at+jwt'];

/** Readiness is checked every few seconds and must be answered quickly. */
const REPORT_WITHIN_MS = 1000;

/** Verifies bearer tokens. Fails closed: rejects a token that cannot be verified, even if only because the keys cannot be fetched. */
export class TokenVerifier {
  private readonly keySet: RemoteKeySet | undefined;
  private readonly keyFor: JWTVerifyGetKey;

  constructor(private readonly config: Config) {
    this.keySet = config.JWT_JWKS_URL === undefined ? undefined : remoteKeySet(config.JWT_JWKS_URL);
    this.keyFor = this.keySet ?? publicKeyIn(config.JWT_PUBLIC_KEY_FILE ?? '');
  }

  /** Why no token can be verified; undefined if tokens can be. Keys fetched once suffice: an outage of the issuer stops no replica. */
  async fault(): Promise<string | undefined> {
    if (this.keySet === undefined || hasKeys(this.keySet)) return undefined;
    let reason = 'the request timed out';
    const loaded = this.keySet.reload().then(
      () => (reason = 'it has no key that can verify a token'),
      (error: unknown) => (reason = (error as Error).message),
    );
    await Promise.race([loaded, sleep(REPORT_WITHIN_MS, undefined, { ref: false })]);
    if (hasKeys(this.keySet)) return undefined;
    const { origin, pathname } = new URL(this.config.JWT_JWKS_URL ?? '');
    return `The key set at ${origin}${pathname} cannot be used: ${reason}.`;
  }

  async verify(token: string): Promise<Caller> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.keyFor, {
        algorithms: [...this.config.JWT_ALGORITHMS],
        ...(this.config.JWT_ISSUER !== undefined && { issuer: this.config.JWT_ISSUER }),
        ...(this.config.JWT_AUDIENCE !== undefined && { audience: this.config.JWT_AUDIENCE }),
        clockTolerance: this.config.JWT_LEEWAY_SECONDS,
        requiredClaims: ['sub', 'exp'],
      });
      const type = protectedHeader.typ?.toLowerCase() ?? 'jwt';
      if (!TOKEN_TYPES.includes(type)) throw unauthenticated('The token is not an access token. Send an access token.');
      requireIssuedBefore(Date.now() / 1000 + this.config.JWT_LEEWAY_SECONDS, payload);
      return {
        subject: subjectOf(payload),
        name: nameOf(payload, this.config.JWT_NAME_CLAIM),
        scopes: new Set(scopesOf(payload, this.config.JWT_SCOPES_CLAIM)),
        expiresAt: 1000 * ((payload.exp ?? 0) + this.config.JWT_LEEWAY_SECONDS),
      };
    } catch (error) {
      throw refusal(error);
    }
  }
}

type RemoteKeySet = ReturnType<typeof createRemoteJWKSet>;

/** Cached. An unknown key id fetches the keys again, at most once per cool-down. */
function remoteKeySet(url: string): RemoteKeySet {
  return createRemoteJWKSet(new URL(url), {
    timeoutDuration: 3000,
    cooldownDuration: 10_000,
    [customFetch]: fetchUsableKeys,
  });
}

function hasKeys(keySet: RemoteKeySet): boolean {
  return (keySet.jwks()?.keys.length ?? 0) > 0;
}

function publicKeyIn(file: string): JWTVerifyGetKey {
  const key = createPublicKey(readFileSync(file));
  return () => key;
}

/** If the issuer's clock is ahead, the expiry is unreliable, too. The claim is optional (RFC 7519, 4.1.6). */
function requireIssuedBefore(seconds: number, { iat }: JWTPayload): void {
  if (iat === undefined || (typeof iat === 'number' && iat <= seconds)) return;
  throw unauthenticated('The token is not valid: its claim "iat" is not in the past.');
}

function subjectOf({ sub }: JWTPayload): string {
  if (!isSubject(sub)) {
    throw unauthenticated(
      'The token has no valid subject: its claim "sub" must be a string of 1 to 255 characters that the service does not use for other authors.',
    );
  }
  return sub;
}

/** Undefined if no claim is configured or it is unusable: a missing name is no reason to reject a request. */
function nameOf(payload: JWTPayload, claim: string | undefined): string | undefined {
  const name = claim === undefined ? undefined : payload[claim];
  return isNameable(name) ? name : undefined;
}

/** `scope` is a space-separated string (RFC 8693); some providers send a list as `scp`, or another claim. */
function scopesOf(payload: JWTPayload, claim: string | undefined): string[] {
  const written = claim === undefined ? (payload.scope ?? payload.scp) : payload[claim];
  if (Array.isArray(written)) return written.filter((item) => typeof item === 'string');
  return typeof written === 'string' ? written.split(' ') : [];
}

function refusal(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof errors.JWTExpired) return unauthenticated('The token has expired. Get a new one.');
  if (error instanceof errors.JWTClaimValidationFailed) {
    return unauthenticated(
      `The token is not valid for this service at this time: its claim "${error.claim}" was rejected.`,
    );
  }
  if (error instanceof errors.JOSEError && !isAboutKeys(error)) {
    return unauthenticated('The token is malformed, or its issuer is not trusted by this service.');
  }
  const detail = 'The keys for verifying tokens cannot be fetched. Try again in a moment.';
  return unavailable(detail, { retryAfter: 5, cause: error });
}

/** Whether fetching the key set failed; an unknown key is a fault of the token. */
function isAboutKeys(error: InstanceType<typeof errors.JOSEError>): boolean {
  return (
    error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid || error.code === 'ERR_JOSE_GENERIC'
  );
}
