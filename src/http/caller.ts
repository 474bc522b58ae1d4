/** Who sent a request, and what their token allows. */
export interface Caller {
  readonly subject: string;
  readonly scopes: ReadonlySet<string>;
}

/** The caller of a request that brought no token. */
export const ANONYMOUS: Caller = { subject: 'anonymous', scopes: new Set() };
