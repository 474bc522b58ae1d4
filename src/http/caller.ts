/** The sender of a request and its permissions. */
export interface Caller {
  readonly subject: string;
  /** Display name for history, if any. Not unique. */
  readonly name?: string | undefined;
  readonly scopes: ReadonlySet<string>;
  /** Expiry of the token in milliseconds since 1970; undefined without a token. */
  readonly expiresAt?: number;
}

/** The caller of a request without a token. */
export const ANONYMOUS: Caller = { subject: 'anonymous', scopes: new Set() };

export function isAnonymous({ expiresAt }: Caller): boolean {
  return expiresAt === undefined;
}
