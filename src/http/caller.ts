/** Who sent a request, and what their token allows. */
export interface Caller {
  readonly subject: string;
  /** What history shows instead of the subject, if there is anything. Callers may share a name. */
  readonly name?: string | undefined;
  readonly scopes: ReadonlySet<string>;
  /** When the token expires, in milliseconds since 1970; undefined without a token. */
  readonly expiresAt?: number;
}

/** The caller of a request that brought no token. */
export const ANONYMOUS: Caller = { subject: 'anonymous', scopes: new Set() };
