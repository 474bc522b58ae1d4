/** Who sent a request, and what their token allows. */
export interface Caller {
  readonly subject: string;
  /** What history shows instead of the subject, if there is anything. Callers may share a name. */
  readonly name?: string | undefined;
  readonly scopes: ReadonlySet<string>;
}

/** The caller of a request that brought no token. */
export const ANONYMOUS: Caller = { subject: 'anonymous', scopes: new Set() };
