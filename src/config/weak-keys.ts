import type { KeyObject } from 'node:crypto';

/** Required for RS256 and PS256 by RFC 7518, sections 3.3 and 3.5. */
export const MIN_RSA_BITS = 2048;

export function isWeak({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  return asymmetricKeyType?.startsWith('rsa') === true && (asymmetricKeyDetails?.modulusLength ?? 0) < MIN_RSA_BITS;
}
