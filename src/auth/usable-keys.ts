import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { FetchImplementation } from 'jose';
import { isWeak } from '../config/faults-in-files.js';

/** Fetches a key set without the keys that cannot safely verify a token: weak, symmetric, private and malformed ones. */
export const fetchUsableKeys: FetchImplementation = async (url, options) => {
  const response = await fetch(url, options);
  if (response.status !== 200) return response;
  const text = await response.text();
  return new Response(withUsableKeys(text));
};

/** Returns an invalid key set unchanged: jose rejects it. */
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
