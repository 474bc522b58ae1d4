import { settings } from '../settings.js';

/** The user, as far as the console knows: the claims of a token, which only the service verifies. */
export interface Identity {
  readonly subject: string;
  /** The name in `changedBy`. Unknown if an API key is used. */
  readonly name?: string;
  readonly scopes: ReadonlySet<string>;
}

/** Returns undefined if the text is not a token. */
export function identityOf(token: string): Identity | undefined {
  const claims = claimsOf(token);
  const subject = claims?.['sub'];
  if (claims === undefined || typeof subject !== 'string') return undefined;
  const { nameClaim, scopesClaim } = settings;
  const named = nameClaim === undefined ? undefined : claims[nameClaim];
  const written = scopesClaim === undefined ? (claims['scope'] ?? claims['scp']) : claims[scopesClaim];
  const scopes = Array.isArray(written) ? written.map(String) : typeof written === 'string' ? written.split(' ') : [];
  return { subject, name: typeof named === 'string' && named !== '' ? named : subject, scopes: new Set(scopes) };
}

/** What a token says. Undefined if the text is not a token. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(decodeBase64Url(token.split('.')[1] ?? '')) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function decodeBase64Url(text: string): string {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
}
