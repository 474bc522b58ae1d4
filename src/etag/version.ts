declare const brand: unique symbol;

/**
 * The version of a record: SHA-256 of its updatedAt (ISO, milliseconds) in lower-case hex. Opaque to clients. Only PostgreSQL's function
 * `etag_of` (see the version clock migration) computes it, from the stored and locked value, so reads, writes and history always agree.
 */
export type ETag = string & { readonly [brand]: 'ETag' };
