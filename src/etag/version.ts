declare const brand: unique symbol;

/** The version of a record: SHA-256 of its updatedAt (ISO, milliseconds) in lower-case hex. Opaque to clients. */
export type ETag = string & { readonly [brand]: 'ETag' };

/**
 * Only PostgreSQL's function `etag_of` (see the version clock migration) computes eTags. It hashes the stored and locked value, so
 * reads, writes and history always agree.
 */
export function eTagOf(updatedAtColumn: string): string {
  return `etag_of(${updatedAtColumn})`;
}

/** Formats a timestamp: RFC 3339, UTC, milliseconds. */
export function isoOf(timestampColumn: string): string {
  return `iso_ms(${timestampColumn})`;
}
