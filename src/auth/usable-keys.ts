import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { FetchImplementation } from 'jose';
import { isWeak } from '../config/weak-keys.js';

/**
 * Fetches a key set and leaves out the keys that must not or cannot verify a token: weak ones, secret ones, private ones that were
 * published, broken ones. They are as unknown as if the issuer had not published them, and the other keys go on working.
 */
export const fetchUsableKeys: FetchImplementation = async (url, options) => {
  const response = await fetch(url, options);
  if (response.status !== 200) return response;
  const text = await response.text();
  return new Response(withUsableKeys(text));
};

/** What is no key set stays as it is: the reader of the answer refuses it. */
function withUsableKeys(text: string): string {
  try {
    const { keys } = JSON.parse(text) as { keys: unknown };
    return Array.isArray(keys) ? JSON.stringify({ keys: keys.filter(isUsable) }) : text;
  } catch {
    return text;
  }
}

function isUsable(jwk: unknown): boolean {
  try {
    const isPrivate = (jwk as JsonWebKey).d !== undefined;
    return !isPrivate && !isWeak(createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' }));
  } catch {
    return false;
  }
}
