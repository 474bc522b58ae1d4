import { settings } from '../settings.js';

export type Scope =
  | 'moves:read'
  | 'moves:write'
  | 'shipments:read'
  | 'shipments:write'
  | 'shipments:status'
  | 'webhooks:read'
  | 'webhooks:write';

/** The claims of a token. Only the service verifies them. */
export interface Identity {
  readonly subject: string;
  /** The name in `changedBy`. */
  readonly name: string;
  readonly scopes: ReadonlySet<string>;
  readonly expiresAt: number;
}

/** Returns undefined if the text is not a token. */
export function identityOf(token: string): Identity | undefined {
  try {
    const claims = JSON.parse(decodeBase64Url(token.split('.')[1] ?? '')) as Record<string, unknown>;
    const { sub, scope, scp, exp } = claims;
    if (typeof sub !== 'string') return undefined;
    const named = settings.nameClaim === undefined ? undefined : claims[settings.nameClaim];
    const written = scope ?? scp;
    const scopes = Array.isArray(written) ? written.map(String) : typeof written === 'string' ? written.split(' ') : [];
    return {
      subject: sub,
      name: typeof named === 'string' && named !== '' ? named : sub,
      scopes: new Set(scopes),
      expiresAt: Number(exp) * 1000,
    };
  } catch {
    return undefined;
  }
}

function decodeBase64Url(text: string): string {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
}
